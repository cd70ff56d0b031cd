/**
 * Two courses in one graph: two parameters of a tank, each in its own range; one parameter of two tanks on one axis; or one course before and
 * after something that somebody did.
 */

import { journalOf } from "../../../app/journal.js";
import { createButton } from "../../../components/button/button.js";
import { openEntry } from "../../../components/entry/entry.js";
import { createGraph } from "../../../components/graph/graph.js";
import { createGraphMarks } from "../../../components/graph-marks/graph-marks.js";
import { createProblem, createSubPage } from "../../../components/page/page.js";
import { openChoice } from "../../../components/picker/choice.js";
import { createSegmented } from "../../../components/segmented/segmented.js";
import { createDoing } from "../../../components/symbol/doings.js";
import { inkOf } from "../../../drawing/ink.js";
import { rounded } from "../../../drawing/geometry.js";
import { h, set, setText, svg } from "../../../page/dom.js";
import { effect } from "../../../page/signals.js";
import { figuresIn } from "../../../water/compare.js";
import { titleOf } from "../../../water/journal-text.js";
import { symbolOf } from "../../../water/journal.js";
import { valueText } from "../../../water/value-text.js";
import { spans } from "../details/spans.js";
import { changeText, compareModel, sentenceOf, sideRows, tankRows } from "./models.js";
import { readCourse } from "./reading.js";

/** @typedef {import("../../../water/journal.js").Entry} Entry */
/** @typedef {import("./models.js").Mode} Mode */

const modes = /** @type {const} */ (["parameters", "tanks", "before"]);
/** Days on either side of what somebody did. */
const aside = 7;
const day = 86_400_000;
/** The hue of the second line where the parameter is the same. */
const second = 300;

/**
 * @param {HTMLElement} root
 * @param {import("../../../app/context.js").Context} context
 * @param {Record<string, string>} params
 */
export function mount(root, context, { device, parameter }) {
    const { t, store, format } = context;
    context.title(t("compare.title"));
    const page = createSubPage(context, { title: t("compare.title"), back: `/p/${encodeURIComponent(device)}/${encodeURIComponent(parameter)}` });
    const kept = new URLSearchParams(location.hash.slice(1));
    /** @type {Mode} */
    let mode = modes.find((one) => one === kept.get("mode")) ?? "parameters";
    let other = kept.get("with");
    let span = spans.find(({ name }) => name === kept.get("span")) ?? spans[mode === "parameters" ? 3 : 4];
    /** @type {import("./reading.js").Course | null} */
    let one = null;
    /** @type {import("./reading.js").Course | null} */
    let its = null;
    /** The temperature on both sides, which may differ as well. @type {import("./reading.js").Course | null} */
    let weather = null;
    let read = "";
    let attempt = new AbortController();
    let hasEnded = false;

    const segmented = createSegmented({
        label: t("compare.title"),
        options: modes.map((value) => ({ value, text: t(`compare.mode_${value}`) })),
        value: mode,
        onChoose(next) {
            mode = next;
            other = null;
            update();
        },
    });
    const periods = createSegmented({
        label: t("details.spans"),
        options: spans.slice(2).map(({ name }) => ({ value: name, text: t(`details.span_${name}`) })),
        value: span.name,
        onChoose(name) {
            span = spans.find((one) => one.name === name) ?? span;
            update();
        },
    });
    const journal = journalOf(context);
    const marks = createGraphMarks(context, { journal, open: (entry) => openEntry(context, journal, entry) });
    const graph = createGraph({ view() {}, drawn });
    graph.element.append(marks.list);
    const legend = h("p", { class: "compare-legend small" });
    const hingeRow = h("button", { class: "compare-hinge", type: "button", "aria-haspopup": "dialog", onclick: chooseHinge });
    const sentence = h("p", { class: "compare-sentence", role: "status" });
    const table = h("div");
    const problem = createProblem({ text: t("common.retry"), press: () => void readAll(true) });
    const choose = createButton({ text: "", press: () => mode === "before" ? chooseHinge() : chooseOther() });
    const element = h(
        "div",
        { class: "compare" },
        segmented.element,
        legend,
        hingeRow,
        h("figure", { class: "compare-graph" }, graph.element, marks.rows),
        problem.element,
        sentence,
        table,
        periods.element,
        h("div", { class: "buttons" }, choose.element),
    );
    page.body.append(element);
    root.replaceChildren(...page.parts);

    const lists = new Map([[device, journal.list({ device, kind: null })]]);
    /** @type {(() => void)[]} */
    const ends = [];

    /** @param {string} id */
    const tankOf = (id) => store.tanks.value?.find((tank) => tank.id === id) ?? null;
    /** @param {string} id @param {string} name */
    function sideOf(id, name) {
        const tank = tankOf(id);
        const gauge = tank?.gauges.find((gauge) => gauge.name === name);
        return tank && gauge ? { tank, gauge } : null;
    }

    /** What people did with a tank, the newest first. @param {string} id @returns {readonly Entry[]} */
    const entriesOf = (id) => lists.get(id)?.listed.value.items ?? [];

    /** What the second line can be: parameters with values, or tanks that measure the same in the same unit. */
    function offered() {
        const own = sideOf(device, parameter);
        if (!own) return [];
        if (mode === "parameters") return own.tank.gauges.filter(({ name, value }) => name !== parameter && value !== null).map(({ name }) => ({ value: name, text: t(`water.${name}_full`) }));
        return (store.tanks.value ?? []).filter((tank) => tank.id !== device && tank.gauges.some(({ name, value, unit }) => name === parameter && value !== null && unit === own.gauge.unit))
            .map(({ id, name }) => ({ value: id, text: name }));
    }

    /** The other tank, from the list beside the tabs: the first one stays. @param {string} id */
    function compareWith(id) {
        if (!offered().some(({ value }) => value === id)) return;
        other = id;
        update();
    }

    /** The entry before and after which is compared. @returns {Entry | null} */
    const hinge = () => mode !== "before" ? null : entriesOf(device).find(({ id }) => id === other) ?? entriesOf(device)[0] ?? null;

    function periodNow() {
        const entry = hinge();
        if (entry) {
            const at = Date.parse(entry.at);
            return { from: at - aside * day, to: Math.min(at + aside * day, Math.ceil(Date.now() / 60_000) * 60_000) };
        }
        const grain = Math.max(60_000, span.length / 720);
        const to = Math.ceil(Date.now() / grain) * grain;
        return { from: to - span.length, to };
    }

    function secondNow() {
        if (mode === "before" || other === null) return null;
        return mode === "parameters" ? sideOf(device, other) : sideOf(other, parameter);
    }

    function update() {
        if (hasEnded) return;
        const own = sideOf(device, parameter);
        segmented.show(mode);
        periods.show(span.name);
        if (mode !== "before" && !offered().some(({ value }) => value === other)) other = offered()[0]?.value ?? null;
        const state = new URLSearchParams({ mode, span: span.name, ...other === null ? {} : { with: other } });
        if (location.hash !== `#${state}`) history.replaceState(history.state, "", `${location.pathname}#${state}`);
        if (mode === "tanks" && other !== null && !lists.has(other)) {
            const list = journal.list({ device: other, kind: null });
            lists.set(other, list);
            ends.push(list.use(update));
        }
        store.comparing.value = mode === "tanks" && own ? { of: [device, other], choose: compareWith } : null;
        set(periods.element, "hidden", mode === "before");
        page.setSubtitle(own ? mode === "tanks" ? t(`water.${parameter}_full`) : own.tank.name : "");
        if (!own) return;
        void readAll(false);
        draw();
    }

    /** @param {boolean} isAgain */
    async function readAll(isAgain) {
        const entry = hinge();
        const key = `${mode} ${other ?? ""} ${entry ? entry.id : span.name}`;
        if (key === read && !isAgain) return;
        if (mode === "before" && !entry) return;
        read = key;
        attempt.abort();
        const mine = attempt = new AbortController();
        [one, its, weather] = [null, null, null];
        problem.show("");
        const period = periodNow();
        const kept = entry ? entry.id : span.name;
        const second = secondNow();
        const hasWeather = mode === "before" && parameter !== "temperature" && sideOf(device, "temperature")?.gauge.value !== null && sideOf(device, "temperature") !== null;
        try {
            const courses = await Promise.all([
                readCourse(context, { device, name: parameter }, period, kept, mine.signal),
                second ? readCourse(context, { device: second.tank.id, name: second.gauge.name }, period, kept, mine.signal) : null,
                hasWeather ? readCourse(context, { device, name: "temperature" }, period, kept, mine.signal).catch(() => null) : null,
            ]);
            if (hasEnded || mine.signal.aborted) return;
            [one, its, weather] = courses;
        } catch (error) {
            if (hasEnded || mine.signal.aborted) return;
            problem.show(context.explain(error, "read"));
        }
        draw();
    }

    function draw() {
        const own = sideOf(device, parameter);
        if (!own || hasEnded) return;
        const first = { ...own, course: one };
        const found = secondNow();
        const another = found && { ...found, course: its };
        const entry = hinge();
        const period = periodNow();
        paint(graph.element, own.gauge.colour, found && mode === "parameters" ? found.gauge.colour : null);
        set(graph.element, "data-apart", mode === "parameters");
        const shown = [device, ...mode === "tanks" && other !== null ? [other] : []].flatMap(entriesOf);
        marks.update([...shown].sort((a, b) => Date.parse(a.at) - Date.parse(b.at)));
        const text = another ? sentenceOf(context, mode, first, another) : mode === "before" && entry ? weatherText() : "";
        const isEmpty = mode === "before" ? !entry : !another;
        setText(sentence, isEmpty ? t(mode === "before" ? "compare.noEntry" : "compare.noOther") : text);
        set(graph.element, "hidden", isEmpty);
        set(legend, "hidden", !another);
        if (another) legend.replaceChildren(...legendOf(first, another));
        set(hingeRow, "hidden", !entry);
        if (entry) {
            hingeRow.replaceChildren(
                createDoing(symbolOf(entry.kind)),
                h("span", { class: "compare-hinge-text" }, h("span", null, titleOf(context, entry)), h("span", { class: "small quiet" }, format.moment(Date.parse(entry.at)))),
            );
        }
        choose.setText(t(`compare.choose_${mode}`));
        const label = `${t("compare.title")}: ${another ? `${nameOf(first)}, ${nameOf(another)}` : nameOf(first)}. ${text}`;
        graph.update(compareModel(context, { mode, first, second: another, period, span: entry ? { name: "30d", length: 2 * aside * day } : span, hasLane: marks.hasAny(), label }));
        table.replaceChildren(...tableOf(first, another, entry, period));

        /** Whether the water was of another temperature on the two sides. */
        function weatherText() {
            if (!weather || !entry) return "";
            const at = Date.parse(entry.at);
            const [before, after] = [figuresIn(weather.series, { from: period.from, to: at }), figuresIn(weather.series, { from: at, to: period.to })];
            const gauge = sideOf(device, "temperature")?.gauge;
            if (!gauge || before.mean === null || after.mean === null) return "";
            const change = changeText(format, before.mean, after.mean, gauge.range.decimals);
            return Number((after.mean - before.mean).toFixed(gauge.range.decimals)) === 0 ? "" : t("compare.weather", { change: format.withUnit(change, gauge.unit) });
        }
    }

    /** @param {{tank: import("../../../water/headline.js").Tank, gauge: import("../../../water/headline.js").Gauge}} side */
    const nameOf = ({ tank, gauge }) => mode === "tanks" ? tank.name : t(`water.${gauge.name}`);

    /**
     * @param {import("./models.js").Side} first
     * @param {import("./models.js").Side} another
     */
    function legendOf(first, another) {
        return [first, another].map((side, index) => {
            const line = h("span", { class: "compare-line", "data-second": index === 1 });
            paint(line, first.gauge.colour, mode === "parameters" ? another.gauge.colour : null);
            return h("span", { class: "compare-key" }, line, h("strong", null, mode === "tanks" ? `${"AB"[index]} ${nameOf(side)}` : nameOf(side)), h("span", { class: "quiet" }, valueText(context, side.gauge)));
        });
    }

    /**
     * @param {import("./models.js").Side} first
     * @param {import("./models.js").Side | null} another
     * @param {Entry | null} entry
     * @param {import("../../../water/series.js").Period} period
     */
    function tableOf(first, another, entry, period) {
        const rows = entry ? sideRows(context, first, Date.parse(entry.at), period) : mode === "tanks" && another ? tankRows(context, first, another, period) : [];
        if (rows.length === 0 || !first.course) return [];
        const heads = entry ? [t("compare.before"), t("compare.after"), t("compare.change")] : [`A ${first.tank.name}`, `B ${another?.tank.name ?? ""}`, "B − A"];
        return [h(
            "table",
            { class: "compare-table" },
            h("thead", null, h("tr", null, h("td"), heads.map((text) => h("th", { scope: "col" }, text)))),
            h("tbody", null, rows.map(({ name, cells }) => h(
                "tr",
                null,
                h("th", { scope: "row" }, name),
                cells.map(({ text, isOutside, isStrong }) => h("td", { "data-out": isOutside, "data-strong": isStrong }, text)),
            ))),
        )];
    }

    /** Behind the lines: the marks of what people did, and both sides of the one that is chosen. @param {import("../../../components/graph/graph.js").Drawn} drawing */
    function drawn(drawing) {
        const entry = hinge();
        if (entry) {
            const { picture, frame, x } = drawing;
            const place = rounded(Math.min(frame.right, Math.max(frame.left, x(Date.parse(entry.at)))));
            const names = [t("compare.before_days", { count: aside }), t("compare.after_days", { count: aside })];
            const middles = [(frame.left + place) / 2, (place + frame.right) / 2];
            picture.insertBefore(
                svg(
                    "g",
                    null,
                    svg("rect", { class: "compare-side", x: frame.left, y: frame.top, width: Math.max(0, place - 2 - frame.left), height: frame.bottom - frame.top }),
                    svg("rect", { class: "compare-side", x: place + 2, y: frame.top, width: Math.max(0, frame.right - place - 2), height: frame.bottom - frame.top }),
                    middles.map((middle, index) => svg("text", { class: "graph-label", x: rounded(middle), y: frame.top - 10, "text-anchor": "middle" }, names[index])),
                ),
                picture.querySelector(":scope > g[clip-path]"),
            );
        }
        marks.draw(drawing);
    }

    function chooseOther() {
        const options = offered();
        if (options.length === 0) return;
        openChoice(context, {
            title: t(`compare.choose_${mode}`),
            options,
            value: other,
            onChoose: (value) => {
                other = value;
                update();
                return Promise.resolve();
            },
        });
    }

    function chooseHinge() {
        const entries = entriesOf(device);
        if (entries.length === 0) return;
        openChoice(context, {
            title: t("compare.choose_before"),
            options: entries.slice(0, 30).map((entry) => ({ value: entry.id, text: titleOf(context, entry), detail: format.moment(Date.parse(entry.at)) })),
            value: hinge()?.id ?? null,
            onChoose: (value) => {
                other = value;
                update();
                return Promise.resolve();
            },
        });
    }

    for (const list of lists.values()) ends.push(list.use(update));
    ends.push(effect([store.tanks, store.connection], update));
    return {
        unmount() {
            hasEnded = true;
            store.comparing.value = null;
            attempt.abort();
            for (const end of ends) end();
            graph.remove();
        },
    };
}

/**
 * The inks of both lines.
 * @param {HTMLElement} element
 * @param {string} colour
 * @param {string | null} its null: the parameter is the same, and the second line has an ink of its own.
 */
function paint(element, colour, its) {
    element.classList.add("inked");
    const own = inkOf(colour);
    const hue = its === null ? second : inkOf(its).hue;
    element.style.setProperty("--hue", String(own.hue));
    element.style.setProperty("--hue-strength", String(own.strength));
    // Two lines of one hue would be told apart by their dashes alone.
    element.style.setProperty("--second-hue", String(Math.abs(hue - own.hue) < 40 ? own.hue + 110 : hue));
}
