/** What the marks of a track say. */

import { createTrackMark } from "../../components/track/track.js";
import { h } from "../../page/dom.js";
import { domainOf, shades, standingOf } from "../../water/track.js";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../components/track/track.js").Track} track
 * @param {(value: number) => string} text A value with its unit.
 */
export function legendOf({ t }, { places, range }, text) {
    const domain = domainOf(places, range);
    const standings = new Set(places.map((place) => standingOf(place, range)));
    /** @type {HTMLElement[]} */
    const keys = [];
    if (standings.has("low")) keys.push(key("low", t("track.low")));
    if (standings.has("within") && domain) {
        const scale = Array.from({ length: shades }, (_, shade) => createTrackMark(`shade-${shade}`));
        keys.push(h("li", { class: "track-scale" }, t("track.within"), h("span", null, text(domain.low), ...scale, text(domain.high))));
    }
    if (standings.has("high")) keys.push(key("high", t("track.high")));
    if (standings.has(null)) keys.push(key("none", t("track.no_value")));
    return h("ul", { class: "track-legend small", "aria-label": t("track.legend") }, keys);

    /**
     * @param {string} mark
     * @param {string} words
     */
    function key(mark, words) {
        return h("li", null, createTrackMark(mark), words);
    }
}
