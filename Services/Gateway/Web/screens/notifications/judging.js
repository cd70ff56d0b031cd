/** The headline of all ways: whether alerts reach the person, and which way needs a hand. */

import { standingOf } from "../../water/ways.js";
import { joined } from "../../words/sentence.js";

/** @typedef {Pick<import("../../app/context.js").Context, "t" | "format">} Context */
/** @typedef {import("../../water/ways.js").Judgement<import("../../app/push.js").Endpoint>} Judgement */

/**
 * @param {Context} context
 * @param {Judgement} judgement
 */
export function headlineOf({ t }, { kind, broken }) {
    if (kind === "broken") return t("ways.head_broken", { count: broken.length });
    return t(`ways.head_${kind === "nothing" ? "none" : kind}`);
}

/**
 * @param {Context} context
 * @param {Judgement} judgement
 * @param {object} about
 * @param {number} about.count How many ways there are.
 * @param {(endpoint: import("../../app/push.js").Endpoint) => string} about.nameOf
 */
export function leadOf(context, { kind, broken, working, proven }, { count, nameOf }) {
    const { t } = context;
    switch (kind) {
        case "none":
            return t("ways.lead_none");
        case "nothing":
            return t("ways.lead_nothing", { count });
        case "untested":
            return t("ways.lead_untested");
        case "fine":
            return proven === working ? t("ways.lead_fine", { count: working }) : t("ways.lead_partly", { count: proven, all: working });
        case "urgent":
            return joined(context, whichOf(context, broken, nameOf), t("ways.lead_urgent", { count: working }));
        case "broken":
            return joined(
                context,
                whichOf(context, broken, nameOf),
                proven === 0 ? t("ways.lead_unproven") : t("ways.lead_working", { count: proven }),
            );
    }
}

/**
 * The fault of the one way that is broken; empty for several.
 * @param {Pick<Context, "t">} context
 * @param {Judgement["broken"]} broken
 * @param {(endpoint: import("../../app/push.js").Endpoint) => string} nameOf
 */
function whichOf({ t }, broken, nameOf) {
    const [only] = broken;
    return broken.length === 1 ? t(`ways.lead_${standingOf(only)}`, { name: nameOf(only) }) : "";
}
