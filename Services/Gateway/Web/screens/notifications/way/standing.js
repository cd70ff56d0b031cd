/** How a way fares: its state as a name, what the other side said, and what that came to. */

import { h } from "../../../page/dom.js";
import { createShape } from "../../../components/shape/shape.js";
import { isBroken, meaningOf, standingOf } from "../../../water/ways.js";
import { isApp } from "../../../words/endpoint-name.js";
import { joined } from "../../../words/sentence.js";
import { shapeOf, valuesOf } from "../endpoints.js";

/** @typedef {Pick<import("../../../app/context.js").Context, "t" | "format">} Context */
/** @typedef {import("../endpoints.js").Endpoint} Endpoint */

/** So many alerts that were not taken are listed at most. */
const most = 20;

/**
 * Whether other ways got what this one did not take; empty where it took everything.
 * @param {Pick<Context, "t">} context
 * @param {readonly {acceptedAt: string | null}[]} untaken Alerts.
 */
export function elsewhereOf({ t }, untaken) {
    if (untaken.length === 0) return "";
    const lost = untaken.filter(({ acceptedAt }) => acceptedAt === null).length;
    if (lost > 0) return t("ways.nowhere", { count: lost });
    return t(untaken.length < most ? "ways.elsewhere" : "ways.elsewhere_last", { count: untaken.length });
}

/**
 * The state of a way as a sentence, in the other side's own words where there are any.
 * @param {Context} context
 * @param {Endpoint} endpoint
 */
function sentenceOf(context, endpoint) {
    const { t } = context;
    const values = valuesOf(context, endpoint);
    const standing = standingOf(endpoint);
    if (standing === "gone" && isApp(endpoint.channel)) return t("ways.text_gone_app");
    return standing === "refused" ? t(`ways.says_${meaningOf(endpoint.lastStatus ?? 0)}`, values) : t(`ways.text_${standing}`, values);
}

/**
 * @param {Context} context
 * @param {Endpoint} endpoint
 * @param {readonly {acceptedAt: string | null}[]} untaken
 * @returns {Node[]}
 */
export function standingParts(context, endpoint, untaken) {
    const name = context.t(`ways.state_${standingOf(endpoint)}`, valuesOf(context, endpoint));
    return [
        h("h2", { class: isBroken(endpoint) ? "way-state way-broken" : "way-state" }, createShape(shapeOf(endpoint)), h("span", null, name)),
        h("p", null, joined(context, sentenceOf(context, endpoint), isBroken(endpoint) ? elsewhereOf(context, untaken) : "")),
    ];
}
