/* What a reader does on the page of the calculator, in a frame, and what is seen; `vectors` are those of the library. */
const frame = document.querySelector("iframe"), found = {widths: {}, complaints: [], outside: []};
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const loaded = () => new Promise((done) => { frame.onload = done; });
frame.onload = async () => {
    try { await steps(); } catch (error) { found.error = String(error.stack); }
    document.getElementById("found").textContent = JSON.stringify(found);
};
async function steps() {
    let w = frame.contentWindow, d = frame.contentDocument;
    const at = (id) => d.getElementById(id), cell = (i, j) => d.querySelector(`[data-cell="${i},${j}"]`);
    const typed = async (field, text) => {
        field.value = text;
        field.dispatchEvent(new w.Event("input", {bubbles: true}));
        await wait(300);
    };
    const pressed = (key) =>
        d.activeElement.dispatchEvent(new w.KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
    const width = () => [d.documentElement.scrollWidth, d.documentElement.clientWidth];
    const outside = () => [...d.querySelectorAll("#calculator *")].filter((x) =>
        !x.closest(".calc-scroll > *, .calc-unseen, thead, .calc-choice input") && x.getBoundingClientRect().right > w.innerWidth)
        .map((x) => x.outerHTML.slice(0, 80));
    found.verdict = at("calc-verdict").textContent;
    found.unnamed = [...d.querySelectorAll("#calculator :is(input, textarea, button, select, pre, fieldset, section, form)")].filter((x) =>
        !(x.labels && x.labels.length) && !x.getAttribute("aria-label") && !x.textContent.trim()).map((x) => x.outerHTML);
    found.heads = [...d.querySelectorAll("#calculator table th")].filter((x) => !x.scope).length;
    found.captions = [...d.querySelectorAll("#calculator table")].filter((x) => !x.caption).length;
    found.live = ["calc-verdict", "calc-complaint", "calc-shuffled", "calc-copied"].map((id) => at(id).getAttribute("aria-live") || at(id).getAttribute("role"));
    found.picture = d.querySelector("#calc-picture svg").getAttribute("aria-label");
    found.order = [...d.querySelectorAll("#calculator [tabindex]")].filter((x) => x.tabIndex > 0).length;

    cell(0, 0).focus();
    const places = [];
    for (const key of ["ArrowRight", "ArrowDown", "Enter", "ArrowLeft", "ArrowUp"]) {
        pressed(key);
        places.push(d.activeElement.dataset.cell);
    }
    found.places = places;
    await typed(cell(1, 1), "1.5");
    found.complaints.push(at("calc-complaint").textContent, cell(1, 1).value, cell(1, 1).getAttribute("aria-invalid"), at("calc-result").className);
    await typed(cell(1, 1), "4");
    found.complaints.push(at("calc-complaint").textContent, cell(1, 1).getAttribute("aria-invalid"), at("calc-verdict").textContent === found.verdict);

    const clipboard = new w.DataTransfer();
    clipboard.setData("text", "5\t6\t7\n8\t9\t10\n1\t2\t3\n4\t4\t4\n");
    cell(0, 0).dispatchEvent(new w.ClipboardEvent("paste", {clipboardData: clipboard, bubbles: true, cancelable: true}));
    found.pasted = [d.querySelectorAll("[data-cell]").length, cell(3, 2).value, at("calc-all").textContent];
    d.querySelector('[data-remove="row"][data-at="3"]').click();
    d.querySelector('[data-remove="class"][data-at="0"]').click();
    found.removed = [d.querySelectorAll("[data-cell]").length, at("calc-all").textContent];

    for (const button of d.querySelectorAll("[data-example]")) {
        button.click();
        d.querySelector('[data-shuffles="100"]').click();
        await wait(50);
        found.outside.push(...outside());
        found.widths[button.textContent] = [...width(), at("calc-shuffled").textContent, at("calc-verdict").textContent, d.querySelectorAll("#calc-picture svg :is(.calc-body, .calc-tail)").length];
    }
    const hash = w.location.hash, verdict = at("calc-verdict").textContent;
    w.history.back();
    await wait(300);
    found.back = at("calc-verdict").textContent;
    const again = loaded();
    frame.src = `calculator.html?again${hash}`;
    await again;
    w = frame.contentWindow;
    d = frame.contentDocument;
    found.shared = d.getElementById("calc-verdict").textContent === verdict;
    await fetch("http://probe.invalid/").catch(() => null);
    const same = (a, b) => `${a.numerator}/${a.denominator}` === (b.includes("/") ? b : `${b}/1`);
    const moments = w.eval("laws").moments;
    found.vectors = vectors.filter(({table, gain, mean, variance, signed_square, sgini}) => {
        if (table.flat().every((x) => !x)) return false;
        const m = moments(table);
        return !(same(m.gain, gain) && same(m.mean, mean) && same(m.variance, variance) && same(m.square, signed_square) && Math.abs(m.sgini - sgini) <= 1e-14 * Math.abs(sgini));
    }).length;
}
