// Choices that look like chance and are the same each time.

/** A source of numbers from 0 to 1, by a word (xorshift over an FNV hash of it). */
export function chance(word) {
    let state = 0x811c9dc5;
    for (const letter of word) {
        state = Math.imul(state ^ letter.codePointAt(0), 0x01000193) >>> 0;
    }
    state ||= 1;
    return () => {
        state ^= state << 13;
        state ^= state >>> 17;
        state ^= state << 5;
        state >>>= 0;
        return state / 2 ** 32;
    };
}

export const pick = (random, list) => list[Math.floor(random() * list.length)];

/** A whole number from `least` to `most`. */
export const between = (random, least, most) => least + Math.floor(random() * (most - least + 1));

/** One key of an object whose values are weights. */
export function weighted(random, weights) {
    let rest = random() * Object.values(weights).reduce((sum, weight) => sum + weight, 0);
    return Object.keys(weights).find((key) => (rest -= weights[key]) < 0);
}
