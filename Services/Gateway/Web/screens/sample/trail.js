/** The way of a survey: begun and ended by the person, told in numbers, drawn when asked for, and left out when they want. */

import { createButton } from "../../components/button/button.js";
import { h, set, setText } from "../../page/dom.js";
import { withStyles } from "../../page/late.js";
import { distanceText } from "../../water/field/text.js";
import { accuracyOf, countOf, lengthOf } from "../../water/field/trail.js";

/** @typedef {import("../../water/field/draft.js").Draft} Draft */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../app/field/field.js").FieldWork} field
 * @param {() => Draft} draft
 * @param {(change: (draft: Draft) => Draft) => void} change
 */
export function createTrail(context, field, draft, change) {
    const { t, format } = context;
    const { id } = draft();
    const { trail } = field;
    const told = h("dl", { class: "field-facts" });
    const state = h("p", { class: "small quiet", role: "status" });
    const toggle = createButton({ text: "", kind: "outlined", press: () => isMine() ? trail.end() : trail.begin(id) });
    const draw = createButton({ text: t("field.trail_show"), kind: "text", press: showMap });
    const without = h("input", { type: "checkbox", onchange: () => change((now) => ({ ...now, isTrackLeftOut: without.checked })) });
    const left = h("label", { class: "entry-proposal" }, without, h("span", null, t("field.trail_without")));
    const ground = h("div");
    const element = h(
        "section",
        null,
        h("h2", { class: "section-head" }, t("field.trail")),
        h("div", { class: "field-where surface" }, told, ground, h("div", { class: "buttons" }, toggle.element, draw.element), state, left),
    );
    /** @type {ReturnType<typeof import("./trail-map.js").createTrailMap> | null} */
    let map = null;
    let isGone = false;

    const isMine = () => trail.listening.value?.sample === id;

    async function showMap() {
        const { createTrailMap } = await withStyles(import("./trail-map.js"), "map", "track");
        if (isGone || map) return;
        map = createTrailMap(context);
        ground.replaceChildren(map.element);
        map.show(draft().track);
        set(draw.element, "hidden", true);
    }

    function show() {
        const { track, isTrackLeftOut } = draft();
        const count = countOf(track);
        const accuracy = accuracyOf(track);
        const [begin, end] = [track[0]?.[0]?.time, track.at(-1)?.at(-1)?.time];
        const facts = count === 0 ? [] : [
            [t("field.trail_walked"), distanceText(context, lengthOf(track))],
            [t("field.trail_time"), begin !== undefined && end !== undefined ? format.duration(end - begin) : ""],
            [t("field.trail_accuracy"), accuracy === null ? "" : t("field.accuracy", { metres: Math.round(accuracy) })],
            [t("field.trail_gaps"), String(Math.max(0, track.length - 1))],
        ];
        told.replaceChildren(...facts.map(([name, value]) => h("div", null, h("dt", { class: "small quiet" }, name), h("dd", { class: "name" }, value))));
        const listening = isMine() ? trail.listening.value : null;
        toggle.setText(t(listening ? "field.trail_end" : count > 0 ? "field.trail_on" : "field.trail_begin"));
        setText(state, listening?.trouble ? t(`field.find_${listening.trouble}`) : listening ? t(listening.isAwake ? "field.trail_listens" : "field.trail_keepAwake") : t("field.trail_note"));
        set(draw.element, "hidden", count < 2 || map !== null);
        set(left, "hidden", count === 0);
        without.checked = isTrackLeftOut;
        map?.show(track);
    }

    show();
    return {
        element,
        show,
        remove() {
            isGone = true;
            map?.remove();
        },
    };
}
