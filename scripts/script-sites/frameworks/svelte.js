import { mount as put } from "svelte";
import Part from "./Part.svelte";

export function mount(target, node) {
    put(Part, { target, props: { node } });
}
