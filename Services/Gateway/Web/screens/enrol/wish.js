/** The wish for devices: a list, typed or from a file, or a number of devices. */

import { createSegmented } from "../../components/segmented/segmented.js";
import { h } from "../../page/dom.js";
import { createCount } from "./count.js";
import { createListing } from "./listing.js";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../app/enrolment.js").Enrolment} enrolment
 */
export function createWish(context, enrolment) {
    const { t } = context;
    const ways = { list: createListing(context, enrolment), count: createCount(context, enrolment) };
    const place = h("div", null, ways.list.element);
    const choice = createSegmented({
        label: t("enrol.how"),
        options: [{ value: "list", text: t("enrol.how_list") }, { value: "count", text: t("enrol.how_count") }],
        value: "list",
        onChoose: (way) => place.replaceChildren(ways[/** @type {keyof typeof ways} */ (way)].element),
    });
    const element = h("div", { class: "enrol-wish" }, h("p", { class: "quiet" }, t("enrol.lead")), choice.element, place);
    return { element };
}
