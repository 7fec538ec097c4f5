/* laws.js: what chance does to a table, or to the best cut of a column: p-values and null laws.
 *
 * Moments are those of exact.js. Laws are counted in BigInt where that is quick; where it is not, the Pearson III law
 * with the exact mean, variance and skewness gives the p-value of a table, and random orders of the labels the rest.
 * Every result says its method and its error. Nothing here knows the page, so that Node.js runs it as it stands.
 */
"use strict";
const laws = (() => {
    const exact = typeof splitcrit === "object" ? splitcrit : require("./exact.js");
    const LARGEST = 2 ** 31 - 1;        // observations
    const STEPS = 100000;               // of the law of a table, counted as splitcrit.nulls.exact counts them
    const WORD = 64;                    // bits of an integer that one step handles
    const SUPPORT = 4000;               // values of a hypergeometric law that are summed in integers
    const LONGEST = 1000000;            // values of one that are summed in doubles
    const PATHS = 160;                  // observations up to which lattice paths are counted in integers
    const CELLS = 2e7;                  // steps of lattice paths in doubles
    const DRAWS = 9999, DRAWN = 2e7;    // random tables, and the steps that all of them may take
    const MOMENTS = 24;                 // rows or classes up to which the third moment is computed, in O(r^3 + k^3)
    const TIE = 1e-11;                  // doubles closer than this, relative to the larger, are equal

    // Numbers.

    const sum = (values) => values.reduce((a, b) => a + b, 0);
    const big = (values) => BigInt64Array.from(values, BigInt);
    const columnTotals = (counts) => counts[0].map((_, j) => sum(counts.map((row) => row[j])));
    const fraction = (a, b) => exact.fraction(BigInt(a), BigInt(b));
    const sign = (x) => (x.numerator > 0n) - (x.numerator < 0n);

    /* The logarithm of a positive integer of any size. */
    function logOf(x) {
        const digits = x.toString(16), left = Math.max(digits.length - 15, 0);
        return Math.log(parseInt(digits.slice(0, 15), 16)) + left * Math.log(16);
    }

    /* The logarithm of a positive fraction; near 1 by what is missing to 1. */
    function logOfFraction(x) {
        const missing = exact.value(exact.subtract(exact.real_of(1n), x));
        return missing < 0.5 ? Math.log1p(-missing) : logOf(x.numerator) - logOf(x.denominator);
    }

    /* The root of a fraction with its sign, which may be of any size. */
    function root(x) {
        const size = x.numerator < 0n ? -x.numerator : x.numerator;
        if (!size) return 0;
        const found = Math.sqrt(exact.value({numerator: size, denominator: x.denominator}));
        const kept = found > 0 && found < Infinity ? found : Math.exp((logOf(size) - logOf(x.denominator)) / 2);
        return sign(x) * kept;
    }

    function choose(n, k) {
        let found = 1n;
        const least = Math.min(k, n - k);
        for (let i = 1; i <= least; i++) found = found * BigInt(n - least + i) / BigInt(i);
        return found;
    }

    const FIRST = [0];                  // log i!
    function logFactorial(i) {
        if (i < 64) {
            while (FIRST.length <= i) FIRST.push(FIRST[FIRST.length - 1] + Math.log(FIRST.length));
            return FIRST[i];
        }
        return (i + 0.5) * Math.log(i) - i + 0.5 * Math.log(2 * Math.PI) + stirling(i);
    }

    /* What Stirling's formula leaves of log i!. */
    function stirling(i) {
        const w = 1 / (i * i);
        return (1 / 12 - w * (1 / 360 - w * (1 / 1260 - w * (1 / 1680 - w / 1188)))) / i;
    }

    /* Random numbers between 0 and 1, the same in every run (mulberry32). */
    function generator(seed) {
        let state = seed >>> 0;
        return () => {
            state = (state + 0x6d2b79f5) >>> 0;
            let t = state;
            t = Math.imul(t ^ (t >>> 15), t | 1);
            t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
            return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
        };
    }

    // The table and its moments.

    /* The counts without empty rows and classes. */
    function compact(counts) {
        const columns = columnTotals(counts), rows = counts.filter((row) => sum(row) > 0);
        return rows.map((row) => row.filter((_, j) => columns[j] > 0));
    }

    /* Gain, mean, variance, square of SGini with its sign, all fractions; SGini as a double. */
    function moments(counts) {
        const r = BigInt(counts.length), k = BigInt(counts[0].length), n = sum(counts.map(sum));
        const a = counts.map(sum), rows = big(a), columns = big(columnTotals(counts)), N = BigInt(n);
        let gain = exact.real_of(0n);
        counts.forEach((row, i) => {
            if (a[i] > 0) {
                const apart = exact.apart(big(row), columns, k, BigInt(a[i]), N);
                gain = exact.add(gain, exact.divide(apart, exact.real_of(BigInt(a[i]) * N * N * N)));
            }
        });
        const mean = exact.mean_of(rows, r, columns, k, N), variance = exact.variance_of(rows, r, columns, k, N);
        const above = exact.subtract(gain, mean), zero = exact.real_of(0n);
        let square = variance.numerator ? exact.formula_signed_square(above, variance) : zero;
        if (sign(above) < 0) square = exact.subtract(zero, square);
        return {n, gain, mean, variance, square, sgini: root(square)};
    }

    /* The skewness by chance. */
    function skewness(counts, variance) {
        const r = BigInt(counts.length), k = BigInt(counts[0].length), n = BigInt(sum(counts.map(sum)));
        const third = exact.third_of(big(counts.map(sum)), r, big(columnTotals(counts)), k, n);
        const cube = exact.multiply(variance, exact.multiply(variance, variance));
        const square = exact.divide(exact.multiply(third, third), cube);
        return third.numerator < 0n ? -root(square) : root(square);
    }

    // The law of a table: values that grow with the gain, and how many orders of the labels give each.

    /* At two rows and classes the gain grows with |n x - a b|; see splitcrit.nulls.exact.two_by_two_tail. */
    function byHypergeometric([[x, right], [below, corner]]) {
        const a = x + right, b = x + below, n = a + below + corner, low = Math.max(0, a + b - n), high = Math.min(a, b);
        const distance = (x) => {
            const d = BigInt(n) * BigInt(x) - BigInt(a) * BigInt(b);
            return d < 0n ? -d : d;
        };
        const gain = (d) => fraction(2n * d * d, BigInt(n) * BigInt(n) * BigInt(a) * BigInt(n - a));
        if (high - low <= SUPPORT && (high - low) * n <= 4e7) {
            const law = new Map();
            let weight = choose(a, low) * choose(n - a, b - low);
            for (let x = low; x <= high; x++) {
                const d = distance(x);
                law.set(d, (law.get(d) || 0n) + weight);
                weight = weight * BigInt((a - x) * (b - x)) / BigInt((x + 1) * (n - a - b + x + 1));
            }
            return counted(law, distance(x), (d) => gain(d));
        }
        return high - low <= LONGEST ? inDoubles(a, b, n, low, high, x) : null;
    }

    /* The same with logarithms of the weights, sums of log-ratios from the mode outwards. */
    function inDoubles(a, b, n, low, high, seen) {
        const mode = Math.min(Math.max(Math.floor((a + 1) * (b + 1) / (n + 2)), low), high);
        const logs = new Float64Array(high - low + 1);
        const ratio = (x) => Math.log((a - x) * (b - x)) - Math.log((x + 1) * (n - a - b + x + 1));
        for (let x = mode; x < high; x++) logs[x + 1 - low] = logs[x - low] + ratio(x);
        for (let x = mode - 1; x >= low; x--) logs[x - low] = logs[x + 1 - low] - ratio(x);
        const away = (x) => Math.abs(n * x - a * b), far = away(seen);
        let all = 0, top = -Infinity, tail = 0;
        for (const l of logs) all += Math.exp(l);
        for (let x = low; x <= high; x++) if (away(x) >= far) top = Math.max(top, logs[x - low]);
        for (let x = low; x <= high; x++) if (away(x) >= far) tail += Math.exp(logs[x - low] - top);
        const log = Math.min(top + Math.log(tail) - Math.log(all), 0), atoms = [];
        for (let x = low; x <= high; x++) {
            const p = Math.exp(logs[x - low]) / all, d = away(x) / n;
            if (p > 1e-12) atoms.push({gain: 2 * d * d / (a * (n - a)), p, tail: away(x) >= far});
        }
        return {method: "exact", fraction: null, log, value: Math.exp(log), atoms};
    }

    /* All tables with these margins, row by row; see splitcrit.nulls.exact.arrangements. Null beyond `limit` steps. */
    function byArrangements(counts, limit) {
        const totals = counts.map(sum).sort((x, y) => y - x), columns = columnTotals(counts).sort((x, y) => x - y);
        const n = sum(totals), cost = 1 + Math.floor(n / WORD);
        const gcd = (a, b) => (b ? gcd(b, a % b) : a);
        const d = totals.map(BigInt).reduce((x, y) => x / gcd(x, y) * y, 1n);
        const perRow = (row) => d / BigInt(sum(row)) * row.reduce((s, x) => s + BigInt(x) * BigInt(x), 0n);
        const seen = counts.map(perRow).reduce((x, y) => x + y, 0n);
        if (columns.length > 200 || totals[0] > limit || !(fillings(totals[0], columns) * cost <= limit)) return null;
        let states = new Map([[columns.join(), {left: columns, law: new Map([[0n, 1n]])}]]), steps = 0;
        for (const a of totals.slice(0, -1)) {
            const reached = new Map(), scale = d / BigInt(a);
            for (const {left, law} of states.values()) {
                const moves = new Map();
                const fill = (j, size, rest, kept, squares, ways) => {
                    if (j === left.length - 1) {
                        const sorted = [...kept, left[j] - size].sort((x, y) => x - y);
                        const key = `${sorted.join()};${squares + size * size}`, more = ways * choose(left[j], size);
                        const move = moves.get(key);
                        if (move) move.ways += more;
                        else moves.set(key, {sorted, squares: BigInt(squares + size * size), ways: more});
                        steps += cost;
                        return;
                    }
                    const after = rest - left[j];
                    for (let x = Math.max(0, size - after); x <= Math.min(left[j], size) && steps <= limit; x++)
                        fill(j + 1, size - x, after, [...kept, left[j] - x], squares + x * x, ways * choose(left[j], x));
                };
                fill(0, a, sum(left), [], 0, 1n);
                steps += moves.size * (law.size - 1) * cost;
                if (steps > limit) return null;
                for (const {sorted, squares, ways} of moves.values()) {
                    const key = sorted.join();
                    if (!reached.has(key)) reached.set(key, {left: sorted, law: new Map()});
                    const target = reached.get(key).law;
                    for (const [value, weight] of law) {
                        const at = value + scale * squares;
                        target.set(at, (target.get(at) || 0n) + weight * ways);
                    }
                }
            }
            states = reached;
        }
        const law = new Map(), last = d / BigInt(totals[totals.length - 1]);
        for (const state of states.values()) {
            const squares = last * state.left.reduce((s, x) => s + BigInt(x) * BigInt(x), 0n);
            for (const [value, weight] of state.law)
                law.set(value + squares, (law.get(value + squares) || 0n) + weight);
        }
        const N = BigInt(n), rest = d * columns.reduce((s, b) => s + BigInt(b) * BigInt(b), 0n);
        return counted(law, seen, (value) => fraction(N * value - rest, d * N * N));
    }

    /* In how many ways a row can be filled, given the class totals. */
    function fillings(size, columns) {
        let ways = new Array(size + 1).fill(0);
        ways[0] = 1;
        for (const b of columns) {
            for (let i = 1; i <= size; i++) ways[i] += ways[i - 1];
            ways = ways.map((w, i) => w - (i > b ? ways[i - b - 1] : 0));
        }
        return ways[size];
    }

    /* The tail of a law that was counted, and its atoms in doubles. */
    function counted(law, seen, gain) {
        let all = 0n, tail = 0n;
        for (const [value, weight] of law) {
            all += weight;
            if (value >= seen) tail += weight;
        }
        const p = fraction(tail, all);
        const atoms = [...law].map(([value, weight]) => ({
            gain: exact.value(gain(value)), p: exact.value({numerator: weight, denominator: all}), tail: value >= seen,
        }));
        atoms.sort((x, y) => x.gain - y.gain);
        return {method: "exact", fraction: p, log: logOfFraction(p), value: exact.value(p), atoms};
    }

    // Laws of doubles.

    /* log(1 + x) - x, without losing the digits of small x. */
    function logLess(x) {
        if (Math.abs(x) > 0.1) return Math.log1p(x) - x;
        let found = 0, power = -x * x;
        for (let i = 2; Math.abs(power / i) > 1e-18 * Math.abs(found); i++, power *= -x) found += power / i;
        return found;
    }

    /* The logarithms of the lower and the upper part of the gamma law of shape a below and above x. */
    function gammaParts(a, x) {
        if (x <= 0) return [-Infinity, 0];
        const about = a < 20 ? a * Math.log(x) - x - logGamma(a + 1)      // x^a e^-x / Gamma(a + 1)
            : a * logLess((x - a) / a) - stirling(a) - 0.5 * Math.log(2 * Math.PI * a);
        if (x < a + 1) {
            let term = 1, total = 1;
            for (let i = 1; term > 1e-17 * total; i++) total += term *= x / (a + i);
            const lower = Math.min(about + Math.log(total), 0);
            return [lower, Math.log1p(-Math.exp(lower))];
        }
        let b = x + 1 - a, d = 1 / b, c = Infinity, value = d;             // Lentz's evaluation of Legendre's fraction
        for (let i = 1; i < 1e6; i++) {
            const step = i * (a - i);
            b += 2;
            d = 1 / (b + step * d);
            c = b + step / c;
            value *= c * d;
            if (Math.abs(c * d - 1) < 3e-16) break;
        }
        const upper = Math.min(about + Math.log(a) + Math.log(value), 0);
        return [Math.log1p(-Math.exp(upper)), upper];
    }

    function logGamma(x) {
        let shift = 0;
        for (; x < 20; x++) shift += Math.log(x);
        return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + stirling(x) - shift;
    }

    /* The logarithm of the upper tail at z of the Pearson III law with mean 0, variance 1 and a skewness. */
    function pearson3(z, skew) {
        if (Math.abs(skew) < 1e-5) {                                       // the normal law, and the next term
            const density = Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
            const half = gammaParts(0.5, z * z / 2)[1] - Math.log(2);
            const upper = z >= 0 ? Math.exp(half) : 1 - Math.exp(half);
            return z > 5 ? half + skew * (z * z - 1) * z / 6 : Math.log(upper + skew * (z * z - 1) * density / 6);
        }
        const shape = 4 / skew ** 2, parts = gammaParts(shape, Math.max(shape + 2 * z / skew, 0));
        return parts[skew > 0 ? 1 : 0];
    }

    // Random tables.

    /* A hypergeometric number: of `size` of `n` labels those in a class of `b`; by inversion from the mode outwards. */
    function hypergeometric(n, b, size, random) {
        const low = Math.max(0, size + b - n), high = Math.min(size, b);
        if (low === high) return low;
        const mode = Math.floor((size + 1) * (b + 1) / (n + 2)), f = logFactorial;
        const log = f(b) - f(mode) - f(b - mode) + f(n - b) - f(size - mode) - f(n - b - size + mode)
            - f(n) + f(size) + f(n - size);
        let left = random(), up = Math.exp(log), down = up, x = mode, y = mode;
        left -= up;
        while (left > 0 && (x < high || y > low)) {
            if (x < high) {
                up *= (b - x) * (size - x) / ((x + 1) * (n - b - size + x + 1));
                x++;
                if ((left -= up) <= 0) return x;
            }
            if (y > low) {
                down *= y * (n - b - size + y) / ((b - y + 1) * (size - y + 1));
                y--;
                if ((left -= down) <= 0) return y;
            }
        }
        return mode;
    }

    /* A table with these margins, for labels in random order. */
    function randomTable(rows, columns, random) {
        const left = columns.slice();
        let n = sum(rows);
        return rows.map((a) => {
            let size = a, rest = n;
            n -= a;
            return left.map((b, j) => {
                const x = rest > b ? hypergeometric(rest, b, size, random) : size;
                rest -= b;
                size -= x;
                left[j] -= x;
                return x;
            });
        });
    }

    /* How many tables are drawn, given the steps that one takes. */
    const affordable = (steps) => Math.max(199, Math.min(DRAWS, Math.floor(DRAWN / steps)));

    /* The p-value (1 + c) / (1 + B) of c of B random tables, and its standard error. */
    function estimated(reached, samples) {
        const value = (1 + reached) / (1 + samples);
        return {value, error: Math.sqrt(value * (1 - value) / (1 + samples)), samples, log: Math.log(value)};
    }

    /* Gains of random tables, and how many reach that of the table. */
    function drawnGains(counts, gain, seed) {
        const rows = counts.map(sum), columns = columnTotals(counts), n = sum(rows), random = generator(seed);
        const spread = 4 + 2 * Math.sqrt(n / counts.length / columns.length);
        const samples = affordable(rows.length * columns.length * spread);
        const node = sum(columns.map((b) => (b / n) ** 2));
        const of = (table) => sum(table.map((row, i) => sum(row.map((x) => x * x)) / rows[i])) / n - node;
        const gains = Float64Array.from({length: samples}, () => of(randomTable(rows, columns, random)));
        const reached = gains.reduce((c, g) => c + (g >= gain - TIE * (1 + gain)), 0);
        return {...estimated(reached, samples), gains};
    }

    /* The whole answer for a table of counts, each row of which holds as many. */
    function ofTable(given, {limit = STEPS, seed = 1} = {}) {
        const counts = compact(given), found = {counts: given, ...moments(given)};
        if (!counts.length || !found.variance.numerator)
            return {...found, p: {method: "constant", fraction: fraction(1, 1), value: 1, log: 0, atoms: []}};
        const p = counts.length === 2 && counts[0].length === 2 ? byHypergeometric(counts)
            : byArrangements(counts, limit);
        if (p) return {...found, p};
        const drawn = drawnGains(counts, exact.value(found.gain), seed), share = 1 / drawn.samples;
        const seen = exact.value(found.gain), least = seen - TIE * (1 + seen);
        const atoms = Array.from(drawn.gains.sort(), (gain) => ({gain, p: share, tail: gain >= least}));
        if (Math.max(counts.length, counts[0].length) > MOMENTS)
            return {...found, p: {method: "draws", fraction: null, ...drawn, atoms}};
        const log = Math.min(pearson3(found.sgini, skewness(counts, found.variance)), 0);
        return {...found, p: {method: "pearson3", fraction: null, log, value: Math.exp(log), drawn, atoms}};
    }

    // The best of the cuts of a column of numbers.

    /* The values in order, a row of counts for each. */
    function byValue(values, labels, classes) {
        const places = new Map(classes.map((name, j) => [name, j])), rows = new Map();
        values.forEach((value, i) => {
            if (!rows.has(value)) rows.set(value, classes.map(() => 0));
            rows.get(value)[places.get(labels[i])]++;
        });
        const ordered = [...rows.keys()].sort((x, y) => x - y);
        return {values: ordered, counts: ordered.map((value) => rows.get(value))};
    }

    /* Mean and standard deviation by chance of the gain of every cut, in doubles, and both exactly on demand. */
    function cutMoments(n, columns) {
        const known = new Map(), k = BigInt(columns.length), totals = big(columns);
        return (m) => {
            const least = Math.min(m, n - m);
            if (!known.has(least)) {
                const rows = big([least, n - least]);
                const mean = exact.mean_of(rows, 2n, totals, k, BigInt(n));
                const variance = exact.variance_of(rows, 2n, totals, k, BigInt(n));
                known.set(least, {mean, variance, average: exact.value(mean), spread: root(variance)});
            }
            return known.get(least);
        };
    }

    /* SGini of every cut between two values: how many observations lie to the left, and the score. */
    function scan(counts, moments = null) {
        const columns = columnTotals(counts), n = sum(columns), chance = moments || cutMoments(n, columns), found = [];
        const left = columns.map(() => 0);
        let m = 0;
        counts.slice(0, -1).forEach((row, i) => {
            row.forEach((x, j) => { left[j] += x; });
            m += sum(row);
            const squares = sum(left.map((x, j) => (n * x - m * columns[j]) ** 2)), law = chance(m);
            const gain = squares / (n * n * m * (n - m));
            found.push({i, m, left: left.slice(), gain, score: law.spread ? (gain - law.average) / law.spread : 0});
        });
        return {cuts: found, chance, n, columns};
    }

    /* The first of the best cuts, which integers decide where doubles are close. */
    function best({cuts, chance, n, columns}) {
        const top = Math.max(...cuts.map((cut) => cut.score));
        let found = null;
        for (const cut of cuts.filter((cut) => cut.score >= top - 1e-9 * (1 + Math.abs(top)))) {
            const squares = cut.left.reduce((s, x, j) => s + BigInt(n * x - cut.m * columns[j]) ** 2n, 0n);
            const key = keyOf(squares, cut.m, n, chance(cut.m));
            if (!found || sign(exact.subtract(key, found.key)) > 0) found = {...cut, key};
        }
        return found;
    }

    /* The square of SGini with its sign, from the sum of (n x - m b)^2. */
    function keyOf(squares, m, n, law) {
        const gain = exact.fraction(squares, BigInt(n) * BigInt(n) * BigInt(m) * BigInt(n - m));
        const above = exact.subtract(gain, law.mean);
        if (!law.variance.numerator) return exact.real_of(0n);
        const square = exact.formula_signed_square(above, law.variance);
        return sign(above) < 0 ? exact.subtract(exact.real_of(0n), square) : square;
    }

    /* For every m the least and the largest x of the first class whose score is below a bar; all where nothing cuts.
     *
     * At a fixed m the score grows with |n x - m b|, so that these x are an interval around m b / n. Its ends are found
     * in doubles; where one is close to an integer and `key` is given, the table there is compared exactly. */
    function inside({cuts, chance, n, columns}, score, key) {
        const b = columns[0], lower = new Int32Array(n + 1), upper = new Int32Array(n + 1).fill(n);
        for (const {m} of cuts) {
            const law = chance(m);
            if (!law.spread) {                          // every table here scores 0
                if (score <= 0) [lower[m], upper[m]] = [n, 0];
                continue;
            }
            const unit = n * n / 2 * m * (n - m), square = Math.max(unit * (law.average + score * law.spread), 0);
            const middle = m * b / n, reach = Math.min(Math.sqrt(square) / n, n + 1);
            for (const side of [-1, 1]) {
                const end = middle + side * reach, near = Math.round(end);
                let x = side < 0 ? Math.ceil(end) : Math.floor(end);
                if (key && Math.abs(end - near) <= Math.max(middle, 1) * (score > 0 ? 1e-9 : 1e-6)) {
                    const d = BigInt(n) * BigInt(near) - BigInt(m) * BigInt(b);
                    const below = sign(exact.subtract(key, keyOf(2n * d * d, m, n, law))) > 0;
                    x = below ? near : near - side;
                }
                (side < 0 ? lower : upper)[m] = x;
            }
        }
        return {lower, upper};
    }

    /* The probability that a path leaves the bounds, by counting paths; see splitcrit.nulls.paths. */
    function chanceOfLeaving(n, ones, {lower, upper}) {
        let paths = [1n], first = 0, left = 0n;
        for (let m = 1; m < n; m++) {
            const grown = Array.from({length: paths.length + 1}, (_, i) => (paths[i] || 0n) + (paths[i - 1] || 0n));
            const kept = [];
            let start = -1;
            grown.forEach((ways, i) => {
                const x = first + i;
                if (x < m - n + ones || x > ones) return;
                if (lower[m] <= x && x <= upper[m]) {
                    if (start < 0) start = x;
                    kept.push(ways);
                } else left += ways * choose(n - m, ones - x);
            });
            if (!kept.length) break;
            [first, paths] = [start, kept];
        }
        return exact.fraction(left, choose(n, ones));
    }

    /* The logarithm of the same, in doubles: of the first m labels any is the last one with equal probability. */
    function logOfLeaving(n, ones, {lower, upper}) {
        const f = logFactorial, logs = [];
        const chance = (m, x) => f(m) - f(x) - f(m - x) + f(n - m) - f(ones - x) - f(n - m - ones + x)
            - f(n) + f(ones) + f(n - ones);
        let held = new Float64Array([1]), first = 0;
        for (let m = 1; m < n; m++) {
            const grown = new Float64Array(held.length + 1);
            held.forEach((q, i) => {
                grown[i] += q * (m - first - i) / m;
                grown[i + 1] += q * (first + i + 1) / m;
            });
            const start = Math.max(first, m - n + ones), stop = Math.min(first + held.length, ones);
            const left = Math.max(start, lower[m]), right = Math.min(stop, upper[m]);
            for (let x = start; x <= stop; x++)
                if ((x < left || x > right) && grown[x - first] > 0) logs.push(chance(m, x) + Math.log(grown[x - first]));
            if (left > right) break;
            held = grown.slice(left - first, right + 1 - first);
            first = left;
        }
        const top = logs.reduce((x, y) => Math.max(x, y), -Infinity);
        return logs.length ? Math.min(top + Math.log(sum(logs.map((l) => Math.exp(l - top)))), 0) : -Infinity;
    }

    /* Best scores of columns whose labels are in random order. */
    function drawnScores({cuts, chance, n, columns}, score, seed) {
        const random = generator(seed), samples = affordable(n * (columns.length + 2)), k = columns.length;
        const labels = Int32Array.from(columns.flatMap((b, j) => new Array(b).fill(j)));
        const means = cuts.map(({m}) => chance(m).average), ms = cuts.map(({m}) => m);
        const inverses = cuts.map(({m}) => (chance(m).spread ? 1 / chance(m).spread : 0));
        const left = new Int32Array(k);
        const scores = Float64Array.from({length: samples}, () => {
            for (let i = n - 1; i > 0; i--) {
                const j = Math.floor(random() * (i + 1)), kept = labels[i];
                labels[i] = labels[j];
                labels[j] = kept;
            }
            left.fill(0);
            let top = -Infinity, at = 0;
            for (let c = 0; c < ms.length; c++) {
                while (at < ms[c]) left[labels[at++]]++;
                let squares = 0;
                for (let j = 0; j < k; j++) squares += (n * left[j] - at * columns[j]) ** 2;
                top = Math.max(top, (squares / (n * n * at * (n - at)) - means[c]) * inverses[c]);
            }
            return top;
        });
        const least = score - TIE * (1 + Math.abs(score));
        return {...estimated(scores.reduce((c, s) => c + (s >= least), 0), samples), scores};
    }

    /* The whole answer for a column of numbers and its classes, at least two of each. */
    function ofColumn(values, labels, {seed = 1} = {}) {
        const counts = new Map();
        labels.forEach((name) => counts.set(name, (counts.get(name) || 0) + 1));
        const two = counts.size === 2;
        const classes = [...counts.keys()];
        if (two) classes.sort((x, y) => counts.get(x) - counts.get(y));     // the law counts the rarer class
        const table = byValue(values, labels, classes), scanned = scan(table.counts), {n, columns} = scanned;
        const found = best(scanned), own = [found.left, columns.map((b, j) => b - found.left[j])];
        const at = (table.values[found.i] + table.values[found.i + 1]) / 2;
        const result = {
            table, classes, cuts: scanned.cuts, n, cut: found.m, at, score: root(found.key), square: found.key,
            single: ofTable(own, {seed}), own,
            best: (counts) => scan(counts, scanned.chance).cuts.reduce((top, cut) => Math.max(top, cut.score), -Infinity),
        };
        if (two && n * Math.sqrt(n) * 3 <= CELLS) {
            const bounds = inside(scanned, found.score, found.key);
            const p = n <= PATHS ? chanceOfLeaving(n, columns[0], bounds) : null;
            const log = p ? logOfFraction(p) : logOfLeaving(n, columns[0], bounds);
            result.p = {method: "lattice", fraction: p, value: p ? exact.value(p) : Math.exp(log), log};
            result.tail = (score) => Math.exp(logOfLeaving(n, columns[0], inside(scanned, score, null)));
            return result;
        }
        const drawn = drawnScores(scanned, found.score, seed), ordered = drawn.scores.slice().sort();
        result.p = {method: "draws", fraction: null, ...drawn};
        result.tail = (score) => {                                          // by bisection
            let low = 0, high = ordered.length;
            while (low < high) {
                const middle = (low + high) >> 1;
                if (ordered[middle] < score) low = middle + 1;
                else high = middle;
            }
            return (ordered.length - low) / ordered.length;
        };
        return result;
    }

    return {ofTable, ofColumn, moments, pearson3, gammaParts, randomTable, generator, columnTotals, sum, LARGEST};
})();
if (typeof module === "object") module.exports = laws;
