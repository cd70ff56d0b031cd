/** The captions of graphs: whatever the values, the width and the size of text, none touches another and none leaves the drawing. */

import { deepStrictEqual as same, ok, strictEqual as equal } from "node:assert/strict";
import { captionsOf, framed, isFree } from "../../Services/Gateway/Web/drawing/captions.js";
import { besideBox, crowdedBy, widthOf } from "../../Services/Gateway/Web/drawing/labels.js";
import { domainOf, scale, ticksOf } from "../../Services/Gateway/Web/drawing/geometry.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";

let seed = 5;
const random = () => (seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
/** @param {number} from @param {number} to */
const between = (from, to) => from + random() * (to - from);

/** @typedef {import("../../Services/Gateway/Web/drawing/captions.js").Box} Box */

/** @param {Box} one @param {Box} other */
const touch = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/**
 * A graph of random values with random limits, as it is drawn.
 * @param {import("../../Services/Gateway/Web/lang/index.js").Words} t
 */
function someGraph(t) {
    const format = createFormat(t.language, "UTC", t);
    const size = { width: between(150, 1400), height: between(220, 480) };
    const em = 13 * [1, 1, 1.25, 1.5, 2][Math.floor(random() * 5)];
    const magnitude = 10 ** Math.floor(between(-2, 6));
    const decimals = magnitude < 1 ? 3 : magnitude < 100 ? 1 : 0;
    const least = between(0, 3) * magnitude;
    const minimum = random() < 0.2 ? null : between(0, 3) * magnitude;
    const range = { minimum, maximum: random() < 0.2 ? null : (minimum ?? 0) + between(0, random() < 0.4 ? 0.02 : 3) * magnitude };
    const domain = domainOf({ least, greatest: least + between(0, 4) * magnitude }, range);
    const number = (/** @type {number} */ value) => format.number(value, decimals);
    const numbers = ticksOf(domain.low, domain.high);
    const frame = framed(size, em, [...numbers, range.minimum ?? 0, range.maximum ?? 0].map(number), { right: 44, top: 58, bottom: 36 });
    const y = scale(domain.low, domain.high, frame.bottom, frame.top);
    const mark = (/** @type {number | null} */ value) => value === null ? null : { place: y(value), text: number(value) };
    return {
        frame,
        size,
        em,
        limits: { maximum: mark(range.maximum), minimum: mark(range.minimum) },
        names: { maximum: t("details.max"), minimum: t("details.min") },
        ticks: numbers.map((value) => ({ place: y(value), text: number(value) })),
        times: Array.from({ length: 12 }, (_, index) => ({ place: between(0, frame.right), text: index % 3 ? format.clock(index * 3_600_000) : format.day(0, 9e9) })),
        now: random() < 0.7 ? t("details.now") : null,
        gaps: Array.from({ length: 5 }, () => ({
            place: between(0, frame.right),
            width: between(2, 90),
            text: t("details.noDataFrom", { from: format.clock(0), to: format.clock(9e6) }),
        })),
    };
}

for (const language of /** @type {const} */ (["en", "ja", "es"])) {
    Deno.test(`${language}: no caption touches another, and none leaves the drawing`, async () => {
        const t = await loadWords(language);
        for (let round = 0; round < 500; round += 1) {
            const graph = someGraph(t);
            const captions = captionsOf(graph);
            const require = (/** @type {boolean} */ isSo) => isSo || ok(false, JSON.stringify({ round, graph, captions }));
            for (const [index, { box }] of captions.entries()) {
                require(box.left >= 0 && box.right <= graph.size.width && box.top >= 0 && box.bottom <= graph.size.height);
                for (const { box: other } of captions.slice(index + 1)) require(!touch(box, other));
            }
            // Numbers have room of their own beside the plot, where they do not take more than half of it.
            const numbers = captions.filter(({ kind }) => kind === "limit" || kind === "tick");
            if (graph.frame.right > graph.size.width / 2 + 1) for (const { box } of numbers) require(box.left >= graph.frame.right);
        }
    });
}

Deno.test("however near the limits are, both have their numbers and their names", async () => {
    const t = await loadWords("es");
    for (let round = 0; round < 300; round += 1) {
        const graph = someGraph(t);
        const { top, bottom, right } = graph.frame;
        if (right < 160 || bottom - top < 6 * graph.em) continue;
        const place = between(top, bottom);
        const limits = { maximum: { place, text: "8.20" }, minimum: { place: Math.min(bottom, place + between(0, 30)), text: "8.10" } };
        const kinds = captionsOf({ ...graph, limits }).map(({ kind }) => kind);
        same(["limit", "name"].map((kind) => kinds.filter((one) => one === kind).length), [2, 2], JSON.stringify({ graph, limits }));
    }
});

Deno.test("what counts most keeps its place: now before a time, a limit before a tick, the widest gap before others", () => {
    const graph = {
        frame: { left: 0, right: 300, top: 58, bottom: 288 },
        size: { width: 344, height: 324 },
        em: 13,
        limits: { maximum: { place: 100, text: "9.0" }, minimum: null },
        names: { maximum: "max", minimum: "min" },
        ticks: [{ place: 104, text: "8.9" }, { place: 200, text: "7.0" }],
        times: [{ place: 290, text: "14:00" }, { place: 150, text: "12:00" }],
        now: "now",
        gaps: [{ place: 100, width: 10, text: "no data 10:00–11:00" }, { place: 120, width: 40, text: "no data 11:10–12:00" }],
    };
    same(captionsOf(graph).map(({ text }) => text), ["9.0", "max", "7.0", "now", "12:00", "no data 11:10–12:00"]);
    equal(isFree({ left: 4, right: 20, top: 90, bottom: 100 }, captionsOf(graph)), false);
    equal(isFree({ left: 4, right: 20, top: 150, bottom: 160 }, captionsOf(graph)), true);
});

Deno.test("the time at which a swell began stands on no other caption of the line", () => {
    for (let round = 0; round < 2_000; round += 1) {
        const em = between(13, 39);
        const [width, share] = [between(200, 1200), random()];
        const [start, end, text] = ["12 h ago", "now", "06:18"];
        const crowded = crowdedBy({ width, em, start, end, begin: { text, share } });
        const half = widthOf(text, em) / 2;
        if (!crowded.start) ok(crowded.place - half >= widthOf(start, em), JSON.stringify({ width, em, share }));
        if (!crowded.end) ok(crowded.place + half <= width - widthOf(end, em), JSON.stringify({ width, em, share }));
    }
    same(crowdedBy({ width: 390, em: 13, start: "12 h ago", end: "now", begin: { text: "06:18", share: 0.5 } }), { place: 195, start: false, end: false });
    same(crowdedBy({ width: 390, em: 13, start: "12 h ago", end: "now", begin: null }), { place: 0, start: false, end: false });
});

Deno.test("beside a small drawing the numbers of the limits do not touch, at the edges of its box where there is room", () => {
    for (let round = 0; round < 2_000; round += 1) {
        const em = between(13, 39);
        const height = between(0, 50);
        const { upper, lower, height: whole } = besideBox({ top: between(0, 50 - height), height }, 50, em);
        ok(upper >= 0 && lower - upper >= em * 15 / 13 - 1e-9 && lower + em * 15 / 13 <= whole + 1e-9);
    }
    same(besideBox({ top: 6, height: 38 }, 50, 13), { upper: 4, lower: 30, height: 50 });
});
