/**
 * One parameter in detail: value, graph, figures, table. As a screen of its own, or beside the list on wide windows.
 */

import { historyOf } from "../../../app/history.js";
import { createGraph } from "../../../components/graph/graph.js";
import { createLimitSteps } from "../../../components/graph/limit-steps.js";
import { createStatistics } from "../../../components/statistics/statistics.js";
import { setInk } from "../../../drawing/ink.js";
import { h, set, setText } from "../../../page/dom.js";
import { effect } from "../../../page/signals.js";
import { computedText } from "../../../water/range-text.js";
import { createAlertLink } from "./alert-link.js";
import { createByHand } from "./by-hand.js";
import { saveCSV } from "./csv.js";
import { figuresByHand, figuresOf } from "./figures.js";
import { graphModel } from "./graph-model.js";
import { createReading } from "./reading.js";
import { spans, spanWith } from "./spans.js";
import { createStanding } from "./standing.js";
import { createTable } from "./table.js";
import { captionOf, unitName } from "./texts.js";
import { openWhy } from "./why.js";

/** @typedef {import("../../../water/headline.js").Gauge} Gauge */
/** @typedef {import("../../../water/headline.js").Tank} Tank */

/**
 * @param {import("../../../app/context.js").Context} context
 * @param {object} what
 * @param {string} what.device
 * @param {string} what.parameter
 * @param {boolean} what.isBeside
 */
export function createDetails(context, { device, parameter, isBeside }) {
    const { api, store, t, format } = context;
    const fullName = t(`water.${parameter}_full`);
    const place = `${encodeURIComponent(device)}/${encodeURIComponent(parameter)}`;
    const history = historyOf(context);
    const reading = createReading(context, { device, parameter, span: "12h", changed: update });

    const standing = createStanding(context);
    /** Whether somebody has said which span they want to see. */
    let isChosen = false;
    const buttons = spans.map(({ name }) =>
        h("button", {
            type: "button",
            "aria-label": t(`details.spanName_${name}`),
            "aria-pressed": name === reading.span.name ? "true" : "false",
            onclick: () => {
                isChosen = true;
                reading.choose(name);
            },
        }, t(`details.span_${name}`))
    );
    const segmented = h("div", { class: "segmented details-spans", role: "group", "aria-label": t("details.spans") }, buttons);
    const help = h("p", { class: "visually-hidden", id: `details-help-${parameter}` }, t("details.help"));
    /** What people did, which nothing here waits for. @type {ReturnType<typeof import("./marks.js").createMarks> | null} */
    let marks = null;
    /** The line without the probe's drift, likewise. @type {ReturnType<typeof import("./corrected.js").createCorrected> | null} */
    let corrected = null;
    /** The line of a second probe, likewise. @type {ReturnType<typeof import("./second.js").createSecondLine> | null} */
    let second = null;
    const limitSteps = createLimitSteps(context, { device, parameter, changed: update });
    const graph = createGraph({ view: reading.look, drawn: (drawing) => marks?.draw(drawing) });
    graph.plot.setAttribute("aria-describedby", help.id);
    const message = h("p", { role: "status" });
    const again = h("button", { class: "button", type: "button", onclick: reading.read }, t("details.again"));
    const trouble = h("div", { class: "details-trouble", hidden: true }, message, again);
    /** The span that reaches back to the last reading, where the one that is shown does not. @type {import("./spans.js").SpanName | null} */
    let reaching = null;
    const back = h("button", { class: "button details-back", type: "button", hidden: true, onclick: () => reaching && reading.choose(reaching) }, t("details.lastReadings"));
    const statistics = createStatistics();
    const byHand = createByHand(context, { device, parameter, changed: update });
    const computed = h("p", { class: "small quiet", hidden: true });
    const change = h("a", { class: "button details-change", href: `/settings/${place}` }, t("details.change"));
    const tableButton = h("button", { class: "button", type: "button", "aria-expanded": "false", onclick: toggleTable }, t("details.table"));
    const csvButton = h("button", { class: "button", type: "button", onclick: save }, t("details.csv"));
    const whyButton = h("button", {
        class: "button",
        type: "button",
        onclick: () => openWhy(context, { device, parameter, period: reading.period, title: fullName }),
    }, t("details.why"));
    const deleteButton = h("button", { class: "button", type: "button", onclick: deleteSome }, t("records.confirm_action"));
    const compare = h("a", { class: "button", href: `/compare/${place}` }, t("compare.title"));
    const addButton = h("button", { class: "button", type: "button", onclick: () => void marksCame.then(() => marks?.add()) }, t("journal.add"));
    const testLink = h("a", { class: "button button-primary", href: `/devices/${encodeURIComponent(device)}/test`, hidden: true }, t("details.testAgain"));
    const table = createTable(context);
    table.element.hidden = true;
    graph.plot.setAttribute("aria-details", table.element.id);
    const alertLink = createAlertLink(context);
    const heading = h(isBeside ? "h2" : "p", { class: "details-name name" }, fullName);
    const link = isBeside ? h("a", { class: "details-link", href: `/p/${place}` }, heading) : heading;

    const figure = h("figure", { class: "details-graph" }, graph.element, help, trouble);
    const further = h("div", { class: "details-buttons buttons" }, testLink, change, compare, addButton, whyButton, tableButton, csvButton, deleteButton);
    const element = h(
        "section",
        { class: "details", "data-beside": isBeside, "aria-label": fullName },
        isBeside ? h("div", { class: "details-head" }, link, segmented) : null,
        standing.element,
        figure,
        back,
        isBeside ? null : segmented,
        byHand.element,
        statistics.element,
        computed,
        further,
        table.element,
        alertLink.element,
    );

    /** What the drawing was made of, to draw only what is new. */
    let drawn = { key: "", series: /** @type {unknown} */ (null), statistics: /** @type {unknown} */ (null) };
    let isGone = false;
    /** Counts the changes of what people did. */
    let marked = 0;

    async function startMarks() {
        try {
            const { createMarks } = await import("./marks.js");
            if (isGone) return;
            marks = createMarks(context, { device, changed: remark });
            graph.element.append(marks.list);
            figure.append(marks.rows);
        } catch (error) {
            // It was not kept, and nobody answers: the graph stands without.
            console.info("There are no marks of what people did.", error);
        }
    }

    async function startCorrected() {
        try {
            const { createCorrected } = await import("./corrected.js");
            if (isGone) return;
            corrected = createCorrected(context, { device, parameter, changed: remark });
            further.append(corrected.element);
        } catch (error) {
            console.info("There is no corrected line.", error);
        }
    }

    async function startSecond() {
        try {
            const { createSecondLine } = await import("./second.js");
            if (isGone) return;
            second = createSecondLine(context, { device, parameter, changed: remark });
            further.append(second.element);
        } catch (error) {
            console.info("There is no line of a second probe.", error);
        }
    }

    function remark() {
        marked += 1;
        update();
    }

    function update() {
        if (isGone) return;
        const now = Date.now();
        const tank = store.tanks.value?.find((tank) => tank.id === device);
        const own = tank?.gauges.find((gauge) => gauge.name === parameter);
        for (const [index, button] of buttons.entries()) {
            set(button, "aria-pressed", spans[index] === reading.span ? "true" : "false");
        }
        if (!tank || !own) {
            const isKnown = store.tanks.value !== undefined && (!tank || tank.gauges.length > 0);
            set(element, "data-unknown", isKnown);
            standing.updateUnknown(isKnown);
            return;
        }
        if (store.connection.value.state === "live") history.read(tank);
        if (reading.renew(own, now)) return;
        const last = own.value === null ? byHand.last() : null;
        if (last && showLast(last, now)) return;
        const told = standing.update(tank, own, now, history.seriesOf(tank, own));
        const { state, isOld } = last ? { state: standing.updateByHand(own, last, store.parameterOf(device, parameter), now), isOld: false } : told;
        set(testLink, "hidden", last === null || tank.isLookedAt);
        set(addButton, "hidden", tank.isLookedAt);
        set(deleteButton, "hidden", last !== null || store.deviceOf(device)?.role !== "owner");
        for (const button of [whyButton, tableButton, csvButton]) set(button, "hidden", last !== null);
        setInk(element, own.colour);
        const origin = computedText(context, store.parameterOf(device, parameter));
        set(computed, "hidden", origin === "");
        setText(computed, origin);
        set(element, "data-state", state);
        set(element, "data-old", isOld);
        byHand.update(own, now);
        updateGraph(tank, own, now, isOld);
    }

    /**
     * What is tested by hand is tested rarely: unless somebody says otherwise a month is shown, or a year.
     * @param {import("../../../water/by-hand.js").HandPoint} last
     * @param {number} now
     * @returns {boolean} Whether everything began anew.
     */
    function showLast({ at }, now) {
        if (isChosen) return false;
        isChosen = true;
        reading.choose(spanWith(now - Date.parse(at), "30d") ?? "30d");
        return true;
    }

    /**
     * @param {Tank} tank
     * @param {Gauge} own
     * @param {number} now
     * @param {boolean} isOld
     */
    function updateGraph(tank, own, now, isOld) {
        const shown = reading.current();
        const { series, span, period, told } = reading;
        set(trouble, "hidden", reading.failure === "");
        setText(message, reading.failure);
        reaching = own.time === null ? null : spanWith(now - own.time, span.name);
        set(back, "hidden", reaching === null);
        set(graph.element, "data-waiting", series === null);
        const steps = limitSteps.of(reading.whole());
        const key = JSON.stringify([period, reading.whole(), span.name, own.range, steps.length, steps[0]?.from, own.unit, format.language, told.length, marked, byHand.squares(period).length]);
        const known = series?.statistics ?? null;
        if (shown && key === drawn.key && shown === drawn.series && known === drawn.statistics) return;
        void marks?.reach(period.from);
        const label = captionOf(context, own, series, { span: span.name, isOld });
        graph.update(
            graphModel(context, { tank, gauge: own, reading, shown, now, label, hasLane: marks?.hasAny() ?? false, byHand: byHand.squares(period), corrected: corrected?.pieces(period), second: second?.pieces(period), steps }),
        );
        const isByHand = own.value === null && byHand.last() !== null;
        statistics.update(isByHand ? figuresByHand(context, own, byHand.squares(period)) : figuresOf(context, own, shown ? series : null, span));
        if (!shown) return;
        drawn = { key, series: shown, statistics: known };
        table.update({
            series: shown,
            period,
            gauge: own,
            steps,
            caption: t("details.tableCaption", { name: unitName(context, own), span: t(`details.spanName_${span.name}`) }),
        });
        alertLink.update(told, now);
    }

    function toggleTable() {
        const isOpen = table.element.hidden;
        table.element.hidden = !isOpen;
        set(tableButton, "aria-expanded", isOpen ? "true" : "false");
        setText(tableButton, isOpen ? t("details.hideTable") : t("details.table"));
        if (isOpen) table.element.scrollIntoView({ block: "nearest" });
    }

    async function deleteSome() {
        try {
            const { openDeleting } = await import("./deleting.js");
            openDeleting(context, { device, parameter, period: reading.period, done: () => void reading.read() });
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
    }

    async function save() {
        if (csvButton.getAttribute("aria-busy") === "true") return;
        set(csvButton, "aria-busy", "true");
        setText(csvButton, t("details.csvBusy"));
        try {
            await saveCSV(api, device, reading.period);
        } catch (error) {
            context.toast({ text: t("details.csvFailed", { problem: context.explain(error) }) });
        }
        set(csvButton, "aria-busy", null);
        setText(csvButton, t("details.csv"));
    }

    const end = effect([store.tanks, store.connection], update);
    const news = store.alertNews.subscribe(() => reading.read());
    const ticking = setInterval(() => {
        if (!document.hidden) update();
    }, 1000);
    reading.read();
    const marksCame = startMarks();
    void startCorrected();
    void startSecond();

    return {
        element,
        device,
        parameter,
        update,
        unmount() {
            isGone = true;
            clearInterval(ticking);
            reading.end();
            marks?.end();
            corrected?.end();
            second?.end();
            limitSteps.end();
            byHand.end();
            end();
            news();
            graph.remove();
        },
    };
}
