/* calculator.js: the page of docs/calculator.md: what is typed, what it says, and the picture.
 *
 * What is asked is one value, `asked`: {kind: "table", counts, rows, classes}, all texts as they were typed, or
 * {kind: "columns", data, as, names}. The hash of the address holds it. `answered` makes the answer of it, or throws a
 * Complaint; Node.js runs it too. The rest draws.
 */
"use strict";
const calculator = (() => {
    const {ofTable, ofColumn, randomTable, generator, columnTotals, sum, LARGEST} =
        typeof laws === "object" ? laws : require("./laws.js");
    const exact = typeof splitcrit === "object" ? splitcrit : require("./exact.js");
    const MOST = {rows: 200, classes: 30, lines: 10000, link: 30000};

    // What is typed.

    /* Bad input: a sentence with the rule, what was given and the remedy, and the place of it. */
    class Complaint extends Error {
        constructor(rule, got, remedy, place = null) {
            super(`${rule}; got ${got}; ${remedy}.`);
            this.place = place;
        }
    }

    const quoted = (text) => `“${text.length > 40 ? `${text.slice(0, 40)}…` : text}”`;

    /* The counts of a table of texts; a cell that is left empty counts 0. */
    function countsOf({counts, rows, classes}) {
        const found = counts.map((row, i) => row.map((text, j) => {
            const kept = text.trim().replace(/(?<=\d)[  _](?=\d{3}(\D|$))/g, "");
            if (!/^\d*$/.test(kept)) {
                const where = `in row ${quoted(rows[i])}, class ${quoted(classes[j])}`;
                throw new Complaint("A count is a whole number, 0 or more", `${quoted(text)} ${where}`,
                    "type how many observations there are, such as 12", [i, j]);
            }
            return Number(kept);
        }));
        const n = sum(found.map(sum));
        if (n > LARGEST)
            throw new Complaint(`A table holds up to ${LARGEST} observations`, String(n), "divide the counts by 10");
        if (n < 2)
            throw new Complaint("A gain needs two observations or more", String(n), "type counts into the cells");
        return found;
    }

    /* The values and classes of two columns of text, and the names in the first line if there are such. */
    function columnsOf({data, names}) {
        const lines = data.split(/\r?\n/).map((text, i) => ({text, i: i + 1})).filter(({text}) => text.trim());
        if (lines.length > MOST.lines)
            throw new Complaint(`The page takes up to ${MOST.lines} lines`, String(lines.length), "paste a sample of them");
        const separator = ["\t", ";", ","].find((mark) => lines.every(({text}) => text.includes(mark))) || /\s+/;
        const pairs = lines.map(({text, i}) => {
            const parts = text.trim() && (separator === "\t" ? text : text.trim()).split(separator)
                .map((part) => part.trim().replace(/^"(.*)"$/, "$1").trim());
            if (parts.length !== 2 || !parts[0] || !parts[1]) {
                const got = `${quoted(text.trim())} in line ${i}`;
                throw new Complaint("A line holds a value and a class", got,
                    "write two entries, with a comma, semicolon, tab or space between them", i);
            }
            return parts;
        });
        const number = (text) => {
            const found = separator === "," ? text : text.replace(",", ".");
            return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(found) ? Number(found) : NaN;
        };
        const isNumber = (text) => Number.isFinite(number(text));
        const headed = names || (pairs.length > 2 && !isNumber(pairs[0][0]) && pairs.slice(1).every(([x]) => isNumber(x)));
        const head = headed ? pairs.shift() : ["value", "class"];
        if (pairs.length < 2)
            throw new Complaint("Two columns hold two observations or more", String(pairs.length),
                "paste a line for each observation");
        const [values, labels] = [0, 1].map((side) => pairs.map((pair) => pair[side]));
        const classes = [...new Set(labels)].sort();
        if (classes.length > MOST.classes)
            throw new Complaint(`The second column is the class, of up to ${MOST.classes} kinds`, String(classes.length),
                "put the class last, or put numbers into groups");
        return {head, headed, values, labels, classes, numbers: values.every(isNumber) ? values.map(number) : null};
    }

    /* The answer, of a table or of the best cut of a column. */
    function answered(asked) {
        if (asked.kind === "table") {
            const counts = countsOf(asked);
            return {kind: "table", rows: asked.rows, classes: asked.classes, ...ofTable(counts)};
        }
        const read = columnsOf(asked), {head, headed, values, labels, classes, numbers} = read;
        if (asked.as === "order") {
            if (!numbers) {
                const word = values.findIndex((text) => !/^[-+.\d]/.test(text) || !Number.isFinite(Number(text)));
                throw new Complaint("The best cut is that of a column of numbers", quoted(values[Math.max(word, 0)]),
                    "choose “groups”, or correct the value");
            }
            if (new Set(numbers).size < 2 || classes.length < 2) {
                const got = classes.length < 2 ? `the class ${quoted(classes[0])} alone` : `the value ${quoted(values[0])} alone`;
                throw new Complaint("A cut needs two values and two classes", got, "paste observations of others too");
            }
            return {kind: "column", head, headed, values: numbers, labels, ...ofColumn(numbers, labels)};
        }
        const rows = [...new Set(values)];
        if (rows.length > MOST.rows)
            throw new Complaint(`A table takes up to ${MOST.rows} groups`, String(rows.length), "choose “numbers”, or join groups");
        const numeric = numbers && new Map(values.map((text, i) => [text, numbers[i]]));
        rows.sort((x, y) => (numeric ? numeric.get(x) - numeric.get(y) : x < y ? -1 : 1));
        const at = new Map(rows.map((name, i) => [name, i])), column = new Map(classes.map((name, j) => [name, j]));
        const counts = rows.map(() => classes.map(() => 0));
        values.forEach((value, i) => { counts[at.get(value)][column.get(labels[i])]++; });
        return {kind: "table", head, headed, rows, classes, ...ofTable(counts)};
    }

    // The address.

    function hashOf(asked) {
        const list = (texts) => texts.map(encodeURIComponent).join();
        if (asked.kind === "table") {
            const cells = asked.counts.map((row) => row.map((text) => encodeURIComponent(text.trim())).join()).join(";");
            return `#table=${cells}&rows=${list(asked.rows)}&classes=${list(asked.classes)}`;
        }
        return `#data=${encodeURIComponent(asked.data)}&as=${asked.as}${asked.names ? "&names=1" : ""}`;
    }

    /* What a hash asks, null if it is of something else. */
    function askedOf(hash) {
        try {
            const parts = new Map(hash.replace(/^#/, "").split("&").map((part) => {
                const [name, ...rest] = part.split("=");
                return [name, rest.join("=")];
            }));
            if (parts.has("data"))
                return {kind: "columns", data: decodeURIComponent(parts.get("data")), names: parts.has("names"),
                    as: parts.get("as") === "groups" ? "groups" : "order"};
            if (!parts.has("table")) return null;
            const counts = parts.get("table").split(";").map((row) => row.split(",").map(decodeURIComponent));
            const width = Math.max(...counts.map((row) => row.length));
            if (counts.length > MOST.rows || width > MOST.classes) return null;
            const named = (key, length, noun) => {
                const texts = (parts.get(key) || "").split(",").map(decodeURIComponent);
                return Array.from({length}, (_, i) => texts[i] || `${noun} ${i + 1}`);
            };
            return {
                kind: "table", counts: counts.map((row) => Array.from({length: width}, (_, j) => row[j] || "")),
                rows: named("rows", counts.length, "row"), classes: named("classes", width, "class"),
            };
        } catch (error) {
            if (error instanceof URIError) return null;
            throw error;
        }
    }

    // Numbers as text.

    /* A number that is positive, by itself or, where it is too small for a double, by its logarithm. */
    function shown(value, log = Math.log(value)) {
        if (value === 0 && !(log > -Infinity && log < 0)) return "0";
        if (value && Math.abs(value) >= 1e-4 && Math.abs(value) < 1e6) return String(Number(value.toPrecision(4))).replace("-", "−");
        if (Math.abs(value) >= 1e6) log = Math.log(Math.abs(value));
        let power = Math.floor(log / Math.LN10), digits = Math.exp(log - power * Math.LN10).toFixed(3);
        if (digits === "10.000") [digits, power] = ["1.000", power + 1];
        return `${value < 0 ? "−" : ""}${digits} × 10^${power}`.replace("^-", "^−");
    }

    const text = (x) => (x.denominator === 1n ? `${x.numerator}` : `${x.numerator}/${x.denominator}`);
    const absolute = (x) => ({numerator: x.numerator < 0n ? -x.numerator : x.numerator, denominator: x.denominator});

    /* The root of a fraction with its sign, as text: a fraction where it is one. */
    function rootText(x) {
        const minus = x.numerator < 0n ? "−" : "", size = absolute(x);
        const [a, b] = [size.numerator, size.denominator].map(wholeRoot);
        return minus + (a * a === size.numerator && b * b === size.denominator
            ? text({numerator: a, denominator: b}) : `√(${text(size)})`);
    }

    function wholeRoot(x) {
        if (x < 2n) return x;
        let found = BigInt(Math.floor(Math.sqrt(Number(x)) || 1));
        if (x > 2n ** 100n) found = 1n << BigInt(x.toString(2).length / 2 + 1 | 0);
        for (;;) {
            const next = (found + x / found) >> 1n;
            if (next === found || next === found + 1n) return next * next <= x ? next : found;
            found = next;
        }
    }

    /* How often, in words: "1 of 30 shuffles". */
    function oftenness({value, log, method}, noun) {
        const about = method === "pearson3" || method === "draws" ? "about " : "";
        if (value >= 0.995) return `nearly all ${noun}`;
        if (value >= 0.1) return `${about}${Math.round(100 * value)} of 100 ${noun}`;
        const one = 1 / value;
        if (one < 1e6) return `${about}1 of ${Number(one.toPrecision(2)).toLocaleString("en")} ${noun}`;
        return `${about}1 of 10^${Math.floor(-log / Math.LN10)} ${noun}`;
    }

    const METHODS = {
        exact: "exact: all tables with these margins are counted",
        constant: "exact: every order of the labels gives this gain",
        pearson3: "approximate: Pearson III, with the exact mean, variance and skewness",
        lattice: "exact: lattice paths",
        draws: "random orders of the labels",
    };

    function methodOf(p) {
        const doubles = p.fraction || p.method === "pearson3" || p.method === "draws" ? "" : ", summed in doubles, 10 digits";
        if (p.method === "draws") return `${p.samples} ${METHODS.draws}, standard error ${shown(p.error)}`;
        const beside = p.drawn ? `; ${p.drawn.samples} random tables: ${shown(p.drawn.value)} ± ${shown(p.drawn.error)}` : "";
        return METHODS[p.method] + doubles + beside;
    }

    /* The sentences on top, and the rows of the table of numbers: [name, meaning, value, exact]. */
    function told(answer) {
        const {p} = answer, hard = p.value <= 0.001 ? "Very hard" : "Hard";
        if (answer.kind === "column") {
            const {single} = answer, times = Math.exp(p.log - single.p.log);
            const verdict = p.value <= 0.05 ? `${hard} to explain by chance.` : "Chance explains this.";
            const often = `Of all cuts of ${answer.head[0]}, the best is at ${shown(answer.at)}. With shuffled labels, the best cut is as good in ${oftenness(p, "shuffles")}.`;
            const paid = times > 1.05 ? ` Had you named this cut beforehand, its p would be ${shown(single.p.value, single.p.log)}; the search makes it ${times < 1e6 ? Number(times.toPrecision(2)) : shown(times)} times larger.` : "";
            return {verdict, sentence: often + paid, numbers: [
                ["best cut", `${answer.cut} of ${answer.n} observations lie below it`, shown(answer.at), ""],
                ["gain of this cut", "", shown(exact.value(single.gain)), text(single.gain)],
                ["SGini of this cut", "standard deviations above the mean by chance of this cut", shown(answer.score), rootText(answer.square)],
                ["p of the best cut", methodOf(p), shown(p.value, p.log), p.fraction ? text(p.fraction) : ""],
                ["p of this cut alone", `if it had been named beforehand; ${methodOf(single.p)}`, shown(single.p.value, single.p.log), single.p.fraction ? text(single.p.fraction) : ""],
            ]};
        }
        const constant = p.method === "constant";
        const verdict = constant ? "Every shuffle gives the same gain." : p.value <= 0.05 ? `${hard} to explain by chance.` : "Chance explains this.";
        const gain = shown(exact.value(answer.gain)), mean = shown(exact.value(answer.mean));
        const sentence = constant
            ? `With these totals the gain is ${gain} in whatever order the labels are, so that it tells you nothing about them.`
            : `Your table gains ${gain}; chance alone gives ${mean} on average, and at least as much as yours in ${oftenness(p, "shuffles")} of the labels.`;
        const spread = Math.sqrt(exact.value(answer.variance));
        return {verdict, sentence, numbers: [
            ["gain", "fall of the Gini impurity when the row is known", gain, text(answer.gain)],
            ["mean by chance", "over all orders of the labels", mean, text(answer.mean)],
            ["standard deviation by chance", "", shown(spread), rootText(answer.variance)],
            ["SGini", "standard deviations above the mean", shown(answer.sgini), rootText(answer.square)],
            ["p-value", methodOf(p), shown(p.value, p.log), p.fraction ? text(p.fraction) : ""],
        ]};
    }

    /* Lines of Python that give the same numbers. */
    function pythonOf(answer) {
        const list = (values) => `[${values.map((x) => (typeof x === "number" ? x : JSON.stringify(x))).join(", ")}]`;
        const methods = {exact: '"exact"', constant: '"exact"', pearson3: '"pearson3"', draws: '"monte_carlo", rng=1'};
        if (answer.kind === "column") {
            const how = answer.p.method === "lattice" ? (answer.p.fraction ? ', method="exact"' : "") : ', method="monte_carlo", rng=1';
            return [
                "from splitcrit import selected_pvalue", "",
                `value = ${list(answer.values)}`, `label = ${list(answer.labels)}`,
                `best = selected_pvalue(value, label${how})`,
                "print(best.cut, best.score, best.value, best.standard_error)",
            ].join("\n");
        }
        const {counts} = answer;
        return [
            "from splitcrit import gini_gain, gini_null, gini_pvalue, sgini", "",
            `table = [${counts.map(list).join(", ")}]`,
            `law = gini_null(${list(counts.map(sum))}, ${list(columnTotals(counts))}, exact=True)`,
            `p = gini_pvalue(table, method=${methods[answer.p.method]})`,
            "print(gini_gain(table), law.mean, law.variance, sgini(table))",
            "print(p)",
        ].join("\n");
    }

    const parts = {Complaint, countsOf, columnsOf, answered, hashOf, askedOf, shown, told, pythonOf, rootText, text, oftenness};
    if (typeof document === "undefined") return parts;

    // The page.

    const EXAMPLES = {
        "Tasting tea": {kind: "table", counts: [["3", "1"], ["1", "3"]], rows: ["says milk first", "says tea first"], classes: ["milk first", "tea first"]},
        "A dose": {kind: "table", counts: [["9", "1"], ["6", "4"], ["2", "8"]], rows: ["none", "half", "full"], classes: ["ill", "well"]},
        "The Titanic": {kind: "table", counts: [["233", "81"], ["109", "468"]], rows: ["women", "men"], classes: ["survived", "died"]},
        "Row numbers": {kind: "table", counts: [["1", "0"], ["0", "1"], ["1", "0"], ["1", "0"], ["0", "1"], ["0", "1"]], rows: ["1", "2", "3", "4", "5", "6"], classes: ["no", "yes"]},
        "Random numbers": {kind: "columns", as: "order", names: false, data: "number,coin\n22,heads\n52,heads\n8,heads\n58,heads\n9,heads\n46,heads\n67,tails\n13,tails\n93,tails\n93,tails\n47,heads\n71,tails\n14,tails\n17,tails\n77,heads\n39,heads\n82,heads\n94,tails\n21,heads\n66,heads\n68,heads\n83,heads\n11,tails\n2,heads\n29,tails\n62,tails\n95,heads\n95,heads\n27,tails\n4,tails\n3,tails\n44,tails\n63,heads\n17,tails\n6,tails\n11,tails\n9,tails\n54,heads\n99,tails\n23,heads"},
        "Three irises": {kind: "columns", as: "order", names: false, data: "sepal width,species\n3.5,setosa\n3.0,setosa\n3.2,setosa\n3.1,setosa\n3.6,setosa\n3.9,setosa\n3.4,setosa\n3.4,setosa\n2.9,setosa\n3.1,setosa\n3.7,setosa\n3.4,setosa\n3.0,setosa\n3.0,setosa\n3.2,versicolor\n3.2,versicolor\n3.1,versicolor\n2.3,versicolor\n2.8,versicolor\n2.8,versicolor\n3.3,versicolor\n2.4,versicolor\n2.9,versicolor\n2.7,versicolor\n2.0,versicolor\n3.0,versicolor\n2.2,versicolor\n2.9,versicolor\n3.3,virginica\n2.7,virginica\n3.0,virginica\n2.9,virginica\n3.0,virginica\n3.0,virginica\n2.5,virginica\n2.9,virginica\n2.5,virginica\n3.6,virginica\n3.2,virginica\n2.7,virginica\n3.0,virginica\n2.5,virginica"},
    };
    const at = (id) => document.getElementById(id);
    const form = at("calc-input"), grid = form.querySelector(".calc-counts");
    let asked = null, answer = null, shuffled = [], random = generator(2);

    function element(name, attributes = {}, ...children) {
        const svg = ["svg", "g", "rect", "line", "text", "tspan", "circle", "path", "title"].includes(name);
        const made = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
        for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
        made.append(...children);
        return made;
    }

    /* Text whose powers of ten are raised. */
    function raised(words) {
        return words.split(/(\^−?\d+)/).map((part) => (part.startsWith("^") ? element("sup", {}, part.slice(1)) : part));
    }

    // The grid of counts.

    function drawGrid() {
        const {counts, rows, classes} = asked;
        const name = (kind, i, value, label) => element("input", {type: "text", value, "aria-label": label, [`data-${kind}`]: i, class: "calc-name", autocomplete: "off"});
        const remove = (kind, i, label) => element("button", {type: "button", "data-remove": kind, "data-at": i, "aria-label": label, title: label, class: "calc-remove"}, "×");
        const head = element("tr", {}, element("td"), ...classes.map((text, j) => element("th", {scope: "col"}, name("class", j, text, `Name of class ${j + 1}`))), element("th", {scope: "col", class: "calc-total"}, "total"));
        const body = counts.map((row, i) => element("tr", {},
            element("th", {scope: "row"}, name("row", i, rows[i], `Name of row ${i + 1}`)),
            ...row.map((value, j) => element("td", {}, element("input", {type: "text", inputmode: "numeric", value, "data-cell": `${i},${j}`, "aria-label": `Count of ${rows[i]}, ${classes[j]}`, autocomplete: "off", placeholder: "0"}))),
            element("td", {class: "calc-total", "data-row-total": i}), ...(counts.length > 1 ? [element("td", {}, remove("row", i, `Remove the row ${rows[i]}`))] : [])));
        const foot = [element("tr", {class: "calc-totals"}, element("th", {scope: "row"}, "total"), ...classes.map((_, j) => element("td", {"data-class-total": j})), element("td", {class: "calc-total", id: "calc-all"}))];
        if (classes.length > 1)
            foot.push(element("tr", {}, element("td"), ...classes.map((text, j) => element("td", {}, remove("class", j, `Remove the class ${text}`)))));
        grid.replaceChildren(element("caption", {class: "calc-unseen"}, "Counts of your table"), element("thead", {}, head), element("tbody", {}, ...body), element("tfoot", {}, ...foot));
        drawTotals();
    }

    function drawTotals() {
        const numbers = asked.counts.map((row) => row.map((text) => Number(text.trim() || 0)));
        const put = (place, value) => { place.textContent = Number.isFinite(value) ? value : "–"; };
        numbers.forEach((row, i) => put(grid.querySelector(`[data-row-total="${i}"]`), sum(row)));
        columnTotals(numbers).forEach((value, j) => put(grid.querySelector(`[data-class-total="${j}"]`), value));
        put(at("calc-all"), sum(numbers.map(sum)));
    }

    function cell(i, j) {
        return grid.querySelector(`[data-cell="${i},${j}"]`);
    }

    /* A block that was copied from a spreadsheet, put where the cell is; the table grows as far as it must. */
    function pasted(block, i, j) {
        const lines = block.replace(/\s+$/, "").split(/\r?\n/).map((line) => line.trim().split(/\t|[;,]\s*|\s+/));
        const rows = Math.min(i + lines.length, MOST.rows), classes = Math.min(j + Math.max(...lines.map((line) => line.length)), MOST.classes);
        while (asked.counts.length < rows) grow("row");
        while (asked.classes.length < classes) grow("class");
        lines.forEach((line, y) => line.forEach((text, x) => { if (i + y < rows && j + x < classes) asked.counts[i + y][j + x] = text; }));
    }

    function grow(kind) {
        const free = (names, noun) => {
            let i = names.length + 1;
            while (names.includes(`${noun} ${i}`)) i++;
            return `${noun} ${i}`;
        };
        if (kind === "row" && asked.rows.length < MOST.rows) {
            asked.rows.push(free(asked.rows, "row"));
            asked.counts.push(asked.classes.map(() => ""));
        }
        if (kind === "class" && asked.classes.length < MOST.classes) {
            asked.classes.push(free(asked.classes, "class"));
            asked.counts.forEach((row) => row.push(""));
        }
    }

    // The picture.

    const PAD = {left: 44, right: 14, top: 34, bottom: 46};

    function ticks(low, high, most) {
        const rough = (high - low) / most, power = 10 ** Math.floor(Math.log10(rough));
        const step = [1, 2, 5, 10].map((x) => x * power).find((x) => x >= rough);
        const found = [];
        for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) found.push(i * step);
        return found.map((x) => ({x, label: Number(x.toPrecision(6)).toString().replace("-", "−")}));
    }

    function canvas(label, height) {
        const width = Math.max(at("calc-picture").clientWidth, 260);
        const svg = element("svg", {viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label});
        at("calc-picture").replaceChildren(svg);
        return {svg, width, height};
    }

    /* The null law of the gain: its bars, the tail in another colour, your table, and the mean by chance. */
    function drawLaw() {
        const {p} = answer, gain = exact.value(answer.gain), mean = exact.value(answer.mean), spread = Math.sqrt(exact.value(answer.variance));
        const label = `The gain by chance: mean ${shown(mean)}, standard deviation ${shown(spread)}; your table gains ${shown(gain)}.`;
        const {svg, width, height} = canvas(label, 280), right = width - PAD.right, base = height - PAD.bottom;
        const likely = p.atoms.filter((atom) => atom.p > 1e-7).map((atom) => atom.gain);
        const most = Math.max(gain, mean + 3 * spread * (likely.length ? 0 : 1), likely.reduce((x, y) => Math.max(x, y), 0)) * 1.04 || 1;
        const x = (value) => PAD.left + 12 + value / most * (right - PAD.left - 12);
        const bins = new Map(), few = p.atoms.filter((atom) => atom.p > 1e-7).length <= 40, size = most / (width < 500 ? 40 : 70);
        for (const atom of p.atoms) {
            const place = few ? atom.gain : (Math.floor(atom.gain / size) + 0.5) * size, bin = bins.get(place) || {body: 0, tail: 0};
            bin[atom.tail ? "tail" : "body"] += atom.p;
            bins.set(place, bin);
        }
        const top = [...bins.values()].reduce((y, bin) => Math.max(y, bin.body + bin.tail), 0) || 1;
        const y = (value) => base - value / top * (base - PAD.top);
        const places = [...bins.keys()].sort((a, b) => a - b), gaps = places.slice(1).map((place, i) => x(place) - x(places[i]));
        const wide = few ? Math.max(3, Math.min(22, 0.75 * gaps.reduce((a, b) => Math.min(a, b), 30))) : Math.max(1.5, x(size) - x(0) - 1);
        if (spread) svg.append(element("rect", {class: "calc-band", x: x(Math.max(mean - spread, 0)), y: PAD.top, width: x(mean + spread) - x(Math.max(mean - spread, 0)), height: base - PAD.top}));
        for (const tick of ticks(0, top, 4).slice(1))
            svg.append(element("line", {class: "calc-grid", x1: PAD.left, x2: right, y1: y(tick.x), y2: y(tick.x)}), element("text", {class: "calc-tick", x: PAD.left - 6, y: y(tick.x) + 4, "text-anchor": "end"}, tick.label));
        for (const [place, bin] of bins) {
            const left = x(place) - wide / 2;
            if (bin.body + bin.tail < 1e-6 && Math.abs(place - gain) > size) continue;
            if (bin.body) svg.append(element("rect", {class: "calc-body", x: left, width: wide, y: y(bin.body), height: Math.max(base - y(bin.body), 1), rx: Math.min(2, wide / 4)}));
            if (bin.tail) svg.append(element("rect", {class: "calc-tail", x: left, width: wide, y: y(bin.body + bin.tail), height: Math.max(y(bin.body) - y(bin.body + bin.tail), 2), rx: Math.min(2, wide / 4)}));
        }
        svg.append(element("line", {class: "calc-axis", x1: PAD.left, x2: right, y1: base, y2: base}));
        for (const tick of ticks(0, most, width < 500 ? 4 : 8))
            svg.append(element("text", {class: "calc-tick", x: x(tick.x), y: base + 17, "text-anchor": "middle"}, tick.label));
        svg.append(element("text", {class: "calc-label", x: (PAD.left + right) / 2, y: height - 8, "text-anchor": "middle"}, "gain"));
        svg.append(element("path", {class: "calc-mean", d: `M${x(mean)},${base} l-5,8 h10 z`}));
        const dot = Math.min(6, (base - PAD.top) / top / Math.max(shuffled.length, 1)), heights = new Map();     // as the bars
        for (const value of shuffled) {
            const place = few ? Math.round(x(value)) : Math.round(x((Math.floor(value / size) + 0.5) * size)), height = heights.get(place) || 0;
            heights.set(place, height + 1);
            svg.append(element("circle", {class: value >= gain * (1 - 1e-11) ? "calc-hit" : "calc-dot", cx: place, cy: Math.max(base - 3 - dot * height, 4), r: 3}));
        }
        const anchor = x(gain) > (PAD.left + right) / 2 ? "end" : "start", shift = anchor === "end" ? -6 : 6;
        svg.append(element("line", {class: "calc-yours", x1: x(gain), x2: x(gain), y1: 18, y2: base}),
            element("text", {class: "calc-mark", x: x(gain) + shift, y: 24, "text-anchor": anchor}, "your table"));
        const shares = p.drawn ? "The bars are random tables" : "The bars are all gains that orders of the labels give";
        at("calc-caption").textContent = `${shares}, with their probability; ▲ is the mean by chance, the band one standard deviation to either side. The coloured bars, from your table on, make up the p-value.${shuffled.length ? " Each dot is one of your shuffles." : ""}`;
    }

    /* The score of every cut, and beside it the null law of the best. */
    function drawCuts() {
        const {cuts, table, score, n, p} = answer;
        const {svg, width, height} = canvas(`SGini of each of ${cuts.length} cuts; the best, ${shown(score)}, is at ${shown(answer.at)}. Beside it the best score of shuffled labels.`, 300);
        const aside = width < 500 ? 70 : 130, middle = width - PAD.right - aside, right = middle - 14, base = height - PAD.bottom;
        const parts = Math.max(8, Math.min(28, Math.floor(4e6 / (n * Math.sqrt(n))))), quick = p.method === "draws" ? 28 : parts;
        let critical = Math.max(score, 1), low = 0, high = critical;
        while (answer.tail(high) > 0.05 && high < 1e4) high *= 2;
        for (let i = 0; i < 10; i++) {
            critical = (low + high) / 2;
            if (answer.tail(critical) > 0.05) low = critical;
            else high = critical;
        }
        critical = high;
        const least = cuts.reduce((a, cut) => Math.min(a, cut.score), 0), most = Math.max(score, critical * 1.5) * 1.08;
        const y = (value) => base - (value - least) / (most - least) * (base - PAD.top);
        const values = table.values, first = values[0], last = values[values.length - 1];
        const x = (value) => PAD.left + (value - first) / (last - first || 1) * (right - PAD.left);
        for (const tick of ticks(least, most, 5))
            svg.append(element("line", {class: "calc-grid", x1: PAD.left, x2: width - PAD.right, y1: y(tick.x), y2: y(tick.x)}), element("text", {class: "calc-tick", x: PAD.left - 6, y: y(tick.x) + 4, "text-anchor": "end"}, tick.label));
        svg.append(element("rect", {class: "calc-band", x: PAD.left, width: width - PAD.right - PAD.left, y: y(most), height: y(critical) - y(most)}));
        const spots = cuts.map((cut) => ({...cut, at: (values[cut.i] + values[cut.i + 1]) / 2}));
        svg.append(element("path", {class: "calc-line", d: spots.map((cut, i) => `${i ? "L" : "M"}${x(cut.at).toFixed(1)},${y(cut.score).toFixed(1)}`).join("")}));
        if (spots.length < 200) for (const cut of spots) svg.append(element("circle", {class: "calc-spot", cx: x(cut.at), cy: y(cut.score), r: 2.5}));
        const edges = Array.from({length: quick + 1}, (_, i) => least + (most - least) * i / quick);
        const tails = edges.map((edge) => answer.tail(edge)), shares = tails.slice(1).map((t, i) => Math.max(tails[i] - t, 0));
        const widest = shares.reduce((a, b) => Math.max(a, b), 0) || 1;
        shares.forEach((share, i) => {
            if (share <= 0) return;
            const bar = (from, to, kind) => { if (to > from) svg.append(element("rect", {class: kind, x: middle, width: Math.max(share / widest * aside, 1), y: y(to) + 0.5, height: Math.max(y(from) - y(to) - 1, 0.5)})); };
            bar(edges[i], Math.min(edges[i + 1], Math.max(score, edges[i])), "calc-body");
            bar(Math.max(edges[i], Math.min(score, edges[i + 1])), edges[i + 1], "calc-tail");
        });
        svg.append(element("line", {class: "calc-axis", x1: PAD.left, x2: right, y1: base, y2: base}), element("line", {class: "calc-axis", x1: middle, x2: middle, y1: PAD.top - 10, y2: base}));
        for (const tick of ticks(first, last, width < 500 ? 4 : 6))
            svg.append(element("text", {class: "calc-tick", x: x(tick.x), y: base + 17, "text-anchor": "middle"}, tick.label));
        svg.append(element("text", {class: "calc-label", x: (PAD.left + right) / 2, y: height - 8, "text-anchor": "middle"}, `cut of ${answer.head[0]}`),
            element("text", {class: "calc-label", x: middle + aside / 2, y: height - 8, "text-anchor": "middle"}, "by chance"),
            element("text", {class: "calc-label", x: 4, y: 16}, "SGini"));
        svg.append(element("line", {class: "calc-critical", x1: PAD.left, x2: width - PAD.right, y1: y(critical), y2: y(critical)}));
        svg.append(element("line", {class: "calc-yours", x1: x(answer.at), x2: width - PAD.right, y1: y(score), y2: y(score)}), element("circle", {class: "calc-best", cx: x(answer.at), cy: y(score), r: 5}));
        const dot = Math.min(6, aside / widest / Math.max(shuffled.length, 1)), rows = new Map();
        for (const value of shuffled) {
            const row = Math.min(Math.floor((value - least) / (most - least) * quick), quick - 1) + 0.5, across = rows.get(row) || 0;
            rows.set(row, across + 1);
            svg.append(element("circle", {class: value >= score * (1 - 1e-11) ? "calc-hit" : "calc-dot", cx: Math.min(middle + 3 + dot * across, width - 4), cy: y(least + (most - least) * row / quick), r: 2.5}));
        }
        at("calc-caption").textContent = "Left: SGini of every cut, the best one marked. Right: how good the best cut is by chance; the coloured part makes up the p-value. In shuffled labels, 1 of 20 best cuts lies in the band." + (shuffled.length ? " Each dot is one of your shuffles." : "");
    }

    // The answer.

    function drawAnswer() {
        const {verdict, sentence, numbers} = told(answer);
        at("calc-verdict").replaceChildren(element("strong", {}, verdict), " ", ...raised(sentence));
        at("calc-numbers").replaceChildren(...numbers.map(([name, meaning, value, fraction]) => {
            const cells = element("td", {}, element("span", {class: "calc-value"}, ...raised(value)));
            if (fraction && fraction !== value) {
                const long = fraction.length > 60 && element("details", {class: "calc-fraction"}, element("summary", {}, `exactly, in ${fraction.replace(/\D/g, "").length} digits`), fraction.replace("/", "/\u200b"));
                cells.append(long || element("span", {class: "calc-fraction"}, fraction.replace("/", "/\u200b")));
            }
            return element("tr", {}, element("th", {scope: "row"}, name, ...(meaning ? [element("span", {class: "calc-meaning"}, ...raised(meaning))] : [])), cells);
        }));
        at("calc-headed").textContent = answer.headed && !asked.names ? "Its first line was read as names. " : "";
        at("calc-own").replaceChildren();
        if (answer.kind === "column" || asked.kind === "columns") {
            const rows = answer.kind === "column" ? [`${answer.head[0]} below ${shown(answer.at)}`, "above"] : answer.rows;
            const counts = answer.kind === "column" ? answer.own : answer.counts;
            at("calc-own").append(element("table", {class: "calc-table"}, element("caption", {class: "calc-unseen"}, "Counts"),
                element("thead", {}, element("tr", {}, element("td"), ...answer.classes.map((name) => element("th", {scope: "col"}, name)))),
                element("tbody", {}, ...counts.map((row, i) => element("tr", {}, element("th", {scope: "row"}, rows[i]), ...row.map((x) => element("td", {}, String(x))))))));
        }
        at("calc-python").textContent = pythonOf(answer);
        at("calc-shuffled").textContent = "";
        at("calc-copied").textContent = "";
        shuffled = [];
        random = generator(2);
        draw();
    }

    const draw = () => (answer.kind === "column" ? drawCuts() : drawLaw());

    /* What is asked is answered; what cannot be is said, and the answer before stays, pale. */
    function answerNow() {
        const complain = (error) => {
            at("calc-complaint").textContent = error ? error.message : "";
            at("calc-result").classList.toggle("calc-stale", Boolean(error));
            for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
            const place = error && (asked.kind === "columns" ? at("calc-data") : error.place && cell(...error.place));
            if (place) {
                place.setAttribute("aria-invalid", "true");
                place.setAttribute("aria-errormessage", "calc-complaint");
            }
        };
        try {
            answer = answered(asked);
            complain(null);
            drawAnswer();
        } catch (error) {
            if (!(error instanceof Complaint)) throw error;
            complain(error);
        }
    }

    let waiting = null;
    function changed(push = false) {
        const hash = hashOf(asked);
        if (hash.length < MOST.link && hash !== location.hash) history[push ? "pushState" : "replaceState"](null, "", hash);
        clearTimeout(waiting);
        if (push) answerNow();
        else waiting = setTimeout(answerNow, 150);
    }

    function show(what) {
        asked = JSON.parse(JSON.stringify(what));
        form.elements.kind.value = asked.kind;
        at("calc-table-input").hidden = asked.kind !== "table";
        at("calc-columns-input").hidden = asked.kind !== "columns";
        if (asked.kind === "table") drawGrid();
        else {
            at("calc-data").value = asked.data;
            form.elements.as.value = asked.as;
            at("calc-names").checked = asked.names;
        }
    }

    // What the reader does.

    const other = {table: EXAMPLES["A dose"], columns: EXAMPLES["Random numbers"]};      // what the other kind showed last

    form.addEventListener("input", ({target}) => {
        if (target.name === "kind") {
            other[asked.kind] = asked;
            show(other[target.value]);
            return changed(true);
        }
        if (asked.kind === "columns")
            Object.assign(asked, {data: at("calc-data").value, as: form.elements.as.value, names: at("calc-names").checked});
        else if (target.dataset.cell) {
            const [i, j] = target.dataset.cell.split(",").map(Number);
            asked.counts[i][j] = target.value;
            drawTotals();
        } else if (target.dataset.row || target.dataset.class) {
            const names = target.dataset.row ? asked.rows : asked.classes;
            names[Number(target.dataset.row || target.dataset.class)] = target.value;
            for (const field of grid.querySelectorAll("[data-cell]")) {
                const [i, j] = field.dataset.cell.split(",").map(Number);
                field.setAttribute("aria-label", `Count of ${asked.rows[i]}, ${asked.classes[j]}`);
            }
        }
        return changed();
    });

    form.addEventListener("click", ({target}) => {
        const {action, remove, at: place, example} = target.dataset;
        if (example) {
            show(EXAMPLES[example]);
            return changed(true);
        }
        if (!action && !remove) return undefined;
        if (action === "clear") asked.counts = asked.counts.map((row) => row.map(() => ""));
        else if (action) grow(action);
        else if (remove === "row") {
            asked.rows.splice(place, 1);
            asked.counts.splice(place, 1);
        } else {
            asked.classes.splice(place, 1);
            asked.counts.forEach((row) => row.splice(place, 1));
        }
        drawGrid();
        const focus = {row: [asked.rows.length - 1, 0], class: [0, asked.classes.length - 1], clear: [0, 0]}[action] || [0, 0];
        cell(...focus).focus();
        return changed(true);
    });

    grid.addEventListener("keydown", (event) => {
        const {target, key} = event;
        if (!target.dataset.cell) return;
        const [i, j] = target.dataset.cell.split(",").map(Number);
        const start = target.selectionStart === 0 && target.selectionEnd === 0, end = target.selectionStart === target.value.length;
        const all = target.selectionStart === 0 && target.selectionEnd === target.value.length;
        const next = {ArrowDown: [i + 1, j], Enter: [i + 1, j], ArrowUp: [i - 1, j], ArrowLeft: (start || all) && [i, j - 1], ArrowRight: (end || all) && [i, j + 1]}[key];
        const found = next && cell(...next);
        if (found) {
            found.focus();
            found.select();
        }
        if (found || key === "Enter") event.preventDefault();
    });

    grid.addEventListener("paste", (event) => {
        const block = event.clipboardData.getData("text");
        if (!event.target.dataset.cell || !/[\t\n]/.test(block.trim())) return;
        event.preventDefault();
        const [i, j] = event.target.dataset.cell.split(",").map(Number);
        pasted(block, i, j);
        drawGrid();
        cell(i, j).focus();
        changed(true);
    });

    grid.addEventListener("focusin", ({target}) => { if (target.dataset.cell) target.select(); });

    at("calc-exact").addEventListener("change", ({target}) => at("calc-result").classList.toggle("calc-decimals", !target.checked));

    at("calc-shuffles").addEventListener("click", ({target}) => {
        const {shuffles} = target.dataset;
        if (!shuffles || !answer) return;
        const column = answer.kind === "column", yours = column ? answer.score : exact.value(answer.gain);
        for (let i = 0; i < Number(shuffles); i++) shuffled.push(column ? shuffledScore() : shuffledGain());
        const hits = shuffled.filter((value) => value >= yours * (1 - 1e-11) - 1e-15).length;
        at("calc-shuffled").textContent = `${hits} of ${shuffled.length} reached ${column ? "your score" : "your gain"}.`;
        shuffled = shuffled.slice(-2000);
        draw();
    });

    function shuffledGain() {
        const rows = answer.counts.map(sum), columns = columnTotals(answer.counts), n = answer.n;
        const table = randomTable(rows, columns, random);
        return sum(table.map((row, i) => (rows[i] ? sum(row.map((x, j) => (n * x - rows[i] * columns[j]) ** 2)) / rows[i] : 0))) / n ** 3;
    }

    function shuffledScore() {
        const {counts} = answer.table, columns = columnTotals(counts), table = randomTable(counts.map(sum), columns, random);
        return answer.best(table);
    }

    form.parentElement.addEventListener("click", async ({target}) => {
        const {copy} = target.dataset;
        if (!copy) return;
        const what = copy === "python" ? at("calc-python").textContent : location.href;
        let done = true;
        try {
            await navigator.clipboard.writeText(what);
        } catch {                                                   // a browser that keeps the clipboard to itself
            const area = element("textarea", {}, what);
            document.body.append(area);
            area.select();
            done = document.execCommand("copy");
            area.remove();
        }
        at("calc-copied").textContent = done ? "Copied." : "Select the lines and copy them.";
    });

    function fromAddress() {
        const found = askedOf(location.hash);
        if (!found && asked) return;
        show(found || EXAMPLES["A dose"]);
        answerNow();
    }

    at("calc-examples").append(...Object.keys(EXAMPLES).map((name) => element("button", {type: "button", "data-example": name}, name)));
    window.addEventListener("popstate", fromAddress);
    window.addEventListener("hashchange", fromAddress);
    fromAddress();
    let width = at("calc-picture").clientWidth;
    new ResizeObserver(() => {
        if (at("calc-picture").clientWidth === width) return;
        width = at("calc-picture").clientWidth;
        draw();
    }).observe(at("calc-picture"));
    return parts;
})();
if (typeof module === "object") module.exports = calculator;
