/** The graphs of a report, drawn as the cards draw their lines. */

import { inTurn } from "../../app/turns.js";
import { createSparkline } from "../../components/sparkline/sparkline.js";
import { setInk } from "../../drawing/ink.js";
import { h } from "../../page/dom.js";
import { decoded } from "../../water/series.js";

/** About two pixels each, on paper. */
const points = 400;

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} what
 * @param {string} what.device
 * @param {import("../../water/series.js").Period} what.period
 * @param {import("../../water/report.js").Report} what.report
 */
export function createGraphs(context, { device, period, report }) {
    const { t, api, store, format } = context;
    let isGone = false;
    const element = h("section", { class: "report-graphs" });
    const query = { from: new Date(period.from).toISOString(), until: new Date(period.to).toISOString(), points };

    async function draw() {
        for (const { parameter } of report.parameters) {
            const path = `/devices/${encodeURIComponent(device)}/parameters/${parameter}/series`;
            try {
                const { data } = await inTurn(() => api.get(path, { query }));
                if (isGone) return;
                add(parameter, decoded(data));
            } catch (error) {
                // The figures stand without it.
                console.info(`There is no graph of ${parameter}.`, error);
            }
        }
    }

    /**
     * @param {string} parameter
     * @param {import("../../water/series.js").Series} series
     */
    function add(parameter, series) {
        const gauge = store.tanks.value?.find(({ id }) => id === device)?.gauges.find(({ name }) => name === parameter);
        if (!gauge || gauge.unit !== series.unit || series.points.length === 0) return;
        const { range } = gauge;
        const line = createSparkline();
        const figure = h(
            "figure",
            { class: "report-graph inked" },
            h("figcaption", { class: "small" }, t(`water.${parameter}_full`)),
            line.element,
            h("p", { class: "report-ends small quiet" }, [period.from, period.to].map((time) => h("span", null, `${format.date(time)}, ${format.clock(time)}`))),
        );
        setInk(figure, gauge.colour);
        element.append(figure);
        line.update({
            series,
            period,
            range,
            isOld: false,
            side: null,
            maximum: format.limit(range.maximum, range.decimals),
            minimum: format.limit(range.minimum ?? range.least, range.decimals),
        });
    }

    void draw();
    return {
        element,
        remove() {
            isGone = true;
        },
    };
}
