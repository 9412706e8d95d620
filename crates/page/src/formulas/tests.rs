use gristmill_html::{Doc, FormulaStyle, TreeLimits};

use super::{formulas_of, spell_out};
use crate::Page;

/// The rows of a page, displayed formulas between two dollar signs, others between one.
fn rows(html: &str) -> String {
    let mut doc = Doc::parse(html, &TreeLimits::default());
    spell_out(&mut doc);
    let page = Page::new(&doc);
    let row = |row: &crate::Row| {
        let leaf = |leaf: &crate::TextNode| {
            let text = &page.text[leaf.start as usize..leaf.end as usize];
            match doc.formula(leaf.node) {
                Some(FormulaStyle::Display) => format!("$${text}$$"),
                Some(FormulaStyle::Inline) => format!("${}$", text.trim()),
                None => text.to_owned(),
            }
        };
        page.row_leaves(row).iter().map(leaf).collect::<String>()
    };
    page.rows.iter().map(row).collect::<Vec<_>>().join("\n")
}

#[test]
fn each_way_to_draw_a_formula_gives_its_tex_once() {
    let mathml = "<math><semantics><mrow><mi>a</mi></mrow><annotation encoding='application/x-tex'>a^2</annotation></semantics></math>";
    for (html, expected) in [
        (format!("<span class=katex><span class=katex-mathml>{mathml}</span><span class=katex-html aria-hidden=true>a2</span></span>"), "$a^2$"),
        (format!("<span class=katex-display><span class=katex>{mathml}<span class=katex-html>a2</span></span></span>"), "$$a^2$$"),
        ("<span class=MathJax_Preview></span><span class=MathJax id=MathJax-Element-1-Frame><nobr>a2</nobr></span><script type='math/tex'>a^2</script>".into(), "$a^2$"),
        ("<div class=MathJax_Display><span class=MathJax>a2</span></div><script type='math/tex; mode=display'>a^2</script>".into(), "$$a^2$$"),
        ("<span class=MathJax data-mathml='<math><msup><mi>a</mi><mn>2</mn></msup></math>'>a2</span>".into(), "$a^2$"),
        ("<mjx-container display=true><mjx-math>a2</mjx-math><mjx-assistive-mml><math display=block><msup><mi>a</mi><mn>2</mn></msup></math></mjx-assistive-mml></mjx-container>".into(), "$$a^2$$"),
        ("<mjx-container><svg data-latex='a^2'></svg><mjx-math data-latex='a^2'><mjx-mi data-latex='a'>a</mjx-mi></mjx-math></mjx-container>".into(), "$a^2$"),
        ("<math alttext='{\\displaystyle a^2}'><mi>a</mi></math>".into(), "$a^2$"),
        ("<span class=mwe-math-element><span style='display:none'><math alttext='{\\displaystyle a^{2}}'><mi>a</mi></math></span><img class=mwe-math-fallback-image-inline alt='{\\displaystyle a^{2}}' src=/x.svg></span>".into(), "$a^{2}$"),
        ("<img class=mwe-math-fallback-image-inline alt='{\\displaystyle a^{2}}' src=/x.svg>".into(), "$a^{2}$"),
        ("<img src='/latex.php?latex=a%5E2&bg=fff'>".into(), "$a^2$"),
        ("<img alt='\\frac{a}{2}' src=/x.png>".into(), "$\\frac{a}{2}$"),
        ("<img alt='\\[ a = b \\]' src=/x.png>".into(), "$$a = b$$"),
        ("<img data-latex='a_1+b' alt=formula src=/x.svg>".into(), "$a_1+b$"),
        ("<img alt='A photo of a mill' src=/x.png>".into(), ""),
        ("<span data-math='\\tan\\alpha = x'>tan</span>".into(), "$\\tan\\alpha = x$"),
        ("<li data-value='California_DarkMode'>Dark Mode</li>".into(), "Dark Mode"),
        ("<span class=ztext-math data-tex='a+b'>a+b</span>".into(), "$a+b$"),
        ("<span class=ql-formula data-value='a^2'>a2</span>".into(), "$a^2$"),
        ("<span class='math inline'>\\(a^2\\)</span>".into(), "$a^2$"),
        ("<span class='math display'>a^2</span>".into(), "$$a^2$$"),
        ("<div class=math>\\[a^2\\]</div>".into(), "$$a^2$$"),
        ("<math-renderer class=js-inline-math>$a^2$</math-renderer>".into(), "$a^2$"),
        ("<d-math block>a^2</d-math>".into(), "$$a^2$$"),
        ("<div style='x'>$$\\newcommand{\\R}{R}$$</div>".into(), "$$\\newcommand{\\R}{R}$$"),
        ("<span class=math>\\(\\newcommand{\\R}{R}\\)</span>".into(), ""),
        ("<p class=math>Mathematics is a subject of the school.</p>".into(), "Mathematics is a subject of the school."),
        ("<pre><span class=math>a^2</span></pre>".into(), "a^2"),
    ] {
        let rows = rows(&html);
        // A raw one is found in the text later.
        assert_eq!(rows, expected, "{html}");
    }
}

#[test]
fn mathml_becomes_tex() {
    for (mathml, expected) in [
        ("<mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup>", "E = mc^2"),
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>c</mi></mfrac>", "\\frac{a + b}{c}"),
        ("<msqrt><mi>x</mi></msqrt><mroot><mi>x</mi><mn>3</mn></mroot>", "\\sqrt{x}\\sqrt[3]{x}"),
        (
            "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msub><mi>x</mi><mi>i</mi></msub>",
            "\\sum_{i = 1}^n x_i",
        ),
        (
            "<mrow><mo>(</mo><mfrac linethickness=0><mi>n</mi><mi>k</mi></mfrac><mo>)</mo></mrow><mi>p</mi>",
            "\\binom{n}{k}p",
        ),
        ("<mfenced><mfrac linethickness=0><mi>n</mi><mi>k</mi></mfrac></mfenced>", "\\binom{n}{k}"),
        ("<mfrac linethickness=0><mi>n</mi><mi>k</mi></mfrac>", "\\genfrac{}{}{0pt}{}{n}{k}"),
        ("<mi>sin</mi><mo>\u{2061}</mo><mi>α</mi>", "\\sin\\alpha"),
        ("<mi>α</mi><mi>x</mi>", "\\alpha x"),
        ("<msup><mrow><mo>(</mo><mi>a</mi><mo>)</mo></mrow><mn>12</mn></msup>", "{(a)}^{12}"),
        ("<mover><mi>x</mi><mo>¯</mo></mover><mover><mi>v</mi><mo>→</mo></mover>", "\\bar{x}\\vec{v}"),
        (
            "<mo>(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable><mo>)</mo>",
            "\\begin{pmatrix} 1 & 0 \\\\ 0 & 1 \\end{pmatrix}",
        ),
        ("<mo>{</mo><mtable><mtr><mtd><mi>a</mi></mtd></mtr></mtable>", "\\begin{cases} a \\end{cases}"),
        (
            "<mtext>if 5%</mtext><mi mathvariant=double-struck>R</mi><mi>ℝ</mi><mi>𝐱</mi>",
            "\\text{if 5\\%}\\mathbb{R}\\mathbb{R}\\mathbf{x}",
        ),
        ("<msup><mi>f</mi><mo>′</mo></msup><mfenced><mi>x</mi><mi>y</mi></mfenced>", "f'(x, y)"),
        ("<mmultiscripts><mi>C</mi><mn>6</mn><none/><mprescripts/><mn>1</mn><mn>2</mn></mmultiscripts>", "{}_1^2C_6"),
        ("<mml:mi>a</mml:mi>", "a"),
    ] {
        assert_eq!(rows(&format!("<p>x <math>{mathml}</math>")), format!("x${expected}$"), "{mathml}");
    }
}

#[test]
fn formulas_in_the_text_are_told_from_prices() {
    let found = |text: &str, typeset: bool| -> Vec<String> {
        formulas_of(text, typeset).into_iter().map(|formula| formula.tex).collect()
    };
    for (text, typeset, expected) in [
        ("from \\(l_1 + l_2\\) to $$\\sum x_i$$", false, &["l_1 + l_2", "\\sum x_i"][..]),
        ("it costs $5 or $10, and $15-$20", true, &[]),
        ("let $n$ be $\\alpha$ of $5", true, &["n", "\\alpha"]),
        ("let $n$ be", false, &[]),
        ("a $x_1$ and US$5 and $6", false, &["x_1"]),
        ("$latex x+y$ and [tex]z[/tex]", false, &["x+y", "z"]),
        ("\\begin{align*}a &= b\\end{align*} x", false, &["\\begin{align*}a &= b\\end{align*}"]),
        ("C:\\(x and \\$5 and \\$6\\_", false, &[]),
        ("set $HOME and $PATH to", true, &[]),
    ] {
        assert_eq!(found(text, typeset), expected, "{text}");
    }
}

#[test]
fn hostile_formulas_take_linear_time() {
    let start = cpu_time::ThreadTime::now();
    for (open, inner, close) in [
        ("<math>", "<mrow><mi>x</mi>", "</math>"),
        ("<math><mtable>", "<mtr><mtd><mi>x</mi></mtd></mtr>", "</mtable></math>"),
        ("", "<math><mi>x</mi></math>", ""),
        ("", "<span class=MathJax>x</span>", ""),
        ("", "<div class=math data-math='x^2'>", ""),
        ("", "<span class=katex><i>", ""),
        ("<math>", "<msup>", ""),
    ] {
        rows(&format!("{open}{}{close}", inner.repeat(20_000)));
    }
    for text in ["$", "\\(", "$a ", "\\begin{align}", "[tex]", "\\", "$$ ", "$x^2 $"] {
        formulas_of(&text.repeat(100_000), true);
    }
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
