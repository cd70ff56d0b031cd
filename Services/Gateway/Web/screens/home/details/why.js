/** Why something was told, or was not, in the period that is looked at. */

import { inTurn } from "../../../app/turns.js";
import { createBlankList } from "../../../components/list-row/list-row.js";
import { createSteps } from "../../../components/steps/steps.js";
import { h } from "../../../page/dom.js";
import { asked } from "../../../water/why.js";

/**
 * @param {import("../../../app/context.js").Context} context
 * @param {object} what
 * @param {string} what.device
 * @param {string} what.parameter
 * @param {import("../../../water/series.js").Period} what.period
 * @param {string} what.title
 */
export async function openWhy(context, { device, parameter, period, title }) {
    const { api, t, format } = context;
    const now = Date.now();
    const { from, until } = asked(period, now);
    const content = h("div", { class: "why", "aria-live": "polite" }, createBlankList(4));
    context.sheet({
        title: t("why.title", { name: title }),
        lead: t("why.lead", { from: format.placed(Date.parse(from), now), until: format.placed(Date.parse(until), now) }),
        body: [content],
    });
    try {
        const path = `/devices/${encodeURIComponent(device)}/parameters/${parameter}/why`;
        const { data } = await inTurn(() => api.get(path, { query: { from, until } }));
        const isEmpty = data.steps.length === 0;
        content.replaceChildren(isEmpty ? h("p", { class: "quiet" }, t("why.none")) : createSteps(context, data, now));
    } catch (error) {
        content.replaceChildren(h("p", { class: "quiet", role: "alert" }, context.explain(error, "read")));
    }
}
