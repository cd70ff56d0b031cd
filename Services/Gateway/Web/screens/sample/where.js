/** The position of a sample: found here with its accuracy, or set on a map or typed where nothing finds it well enough. */

import { createButton } from "../../components/button/button.js";
import { createField } from "../../components/field/field.js";
import { createPlaceFinder } from "../../components/place-finder/place-finder.js";
import { h } from "../../page/dom.js";
import { withStyles } from "../../page/late.js";
import { typedPosition } from "../../water/field/place.js";

/** @typedef {import("../../water/field/draft.js").Draft} Draft */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {() => Draft} draft
 * @param {(change: (draft: Draft) => Draft) => void} change
 */
export function createWhere(context, draft, change) {
    const { t, store } = context;
    const finder = createPlaceFinder(context, { text: t("field.find"), position: draft().position, found: (position) => change((now) => ({ ...now, position })) });
    const type = createButton({ text: t("field.type_position"), kind: "text", press: openTyping });

    const pin = createButton({ text: t("field.pin"), kind: "text", press: showPin });

    /** @param {Draft["position"]} position */
    function said(position) {
        change((now) => ({ ...now, position }));
        finder.show(position);
    }

    /** Where the sample was found, else where its place is. */
    function known() {
        const { position, device } = draft();
        const { latitude = null, longitude = null } = position ?? store.deviceOf(device ?? "") ?? {};
        return latitude === null || longitude === null ? null : { latitude, longitude };
    }

    async function showPin() {
        const from = known();
        if (!from) return openTyping();
        finder.end();
        try {
            const { openPin } = await withStyles(import("./pin.js"), "map", "track");
            await openPin(context, from, said);
        } catch (error) {
            context.toast({ text: context.explain(error, "read") });
        }
    }

    function openTyping() {
        const { latitude = "", longitude = "" } = draft().position ?? {};
        const north = createField({ label: t("field.latitude"), name: "latitude", inputmode: "decimal", value: String(latitude) });
        const east = createField({ label: t("field.longitude"), name: "longitude", inputmode: "decimal", value: String(longitude) });
        const save = createButton({ text: t("common.save"), kind: "primary", isSubmit: true });
        const none = createButton({ text: t("field.no_position"), kind: "text", press: () => take(null) });
        const form = h("form", { class: "form", novalidate: true }, north.element, east.element, save.element, draft().position ? none.element : null);
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            const position = typedPosition(north.value, east.value);
            if (position) take(position);
            else north.setFault({ what: t("field.degrees") });
        });
        /** @param {Draft["position"]} position */
        function take(position) {
            said(position);
            sheet.close();
        }
        const sheet = context.sheet({ title: t("field.type_position"), body: [form] });
    }

    return {
        element: h("section", null, h("h2", { class: "section-head" }, t("field.position")), h("div", { class: "field-where surface" }, finder.element, h("div", { class: "buttons" }, type.element, pin.element))),
        show: () => finder.show(draft().position),
        end: finder.end,
    };
}
