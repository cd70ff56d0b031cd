/** Where a device or a place was: a sheet with its positions, newest first. */

import { createButton } from "../../components/button/button.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { h } from "../../page/dom.js";
import { stretchesOf } from "../../water/sites.js";

/** @typedef {import("../../water/sites.js").FormerPlace} FormerPlace */

/** What has a word. */
const sources = new Set(["gps", "map", "typed"]);

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../water/tanks.js").Device} device
 */
export function showPlaces(context, { id }) {
    const { t, api, format } = context;
    const rows = h("div", { "aria-live": "polite" }, h("p", { class: "quiet" }, t("common.loading")));
    const more = createButton({ text: t("audit.more"), kind: "text", press: () => read() });
    more.element.hidden = true;
    /** @type {FormerPlace[]} */
    let places = [];
    /** @type {string | null} */
    let next = null;

    async function read() {
        try {
            const { data } = await api.get(`/devices/${encodeURIComponent(id)}/places`, { query: { limit: 50, ...next === null ? {} : { cursor: next } } });
            places = [...places, ...data.items];
            next = data.next;
            show();
        } catch (error) {
            rows.replaceChildren(h("p", { class: "field-fault" }, context.explain(error)));
        }
    }

    function show() {
        more.element.hidden = next === null;
        if (places.length === 0) return rows.replaceChildren(h("p", { class: "quiet" }, t("sites.was_none")));
        rows.replaceChildren(createList(...stretchesOf(places).map(({ since, until, latitude, longitude, accuracy, source }) =>
            createRow({
                name: latitude === null || longitude === null ? t("sites.was_nowhere") : `${format.number(latitude, 5)}°, ${format.number(longitude, 5)}°`,
                detail: [
                    `${format.moment(Date.parse(since))} – ${until === null ? t("sites.was_now") : format.moment(Date.parse(until))}`,
                    accuracy === null ? "" : t("sites.within", { metres: format.number(accuracy, 0) }),
                    source !== null && sources.has(source) ? t(`sites.source_${source}`) : "",
                ].filter(Boolean).join(" · "),
            }).element
        )));
    }

    context.sheet({ title: t("sites.was"), body: [rows, more.element] });
    void read();
}
