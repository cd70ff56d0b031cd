/** A device's name and place, each in a sheet. */

import { createButton } from "../../components/button/button.js";
import { createField } from "../../components/field/field.js";
import { createProblem } from "../../components/page/page.js";
import { createPlaceFields } from "../../components/place-fields/place-fields.js";
import { h } from "../../page/dom.js";
import { isProblem } from "../../words/problem.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {import("../../water/tanks.js").Device} Device */

/**
 * @param {Context} context
 * @param {Device} device
 */
export function askForName(context, device) {
    const { t, store } = context;
    const name = createField({ label: t("devices.name"), name: "name", value: device.name, maxlength: 64 });
    const form = createForm(context, [name.element], async () => {
        if (name.value.trim() === "") {
            name.setFault({ what: t("devices.name_missing"), todo: t("devices.name_todo") });
            name.focus();
            return false;
        }
        await store.renameDevice(device.id, { name: name.value.trim() });
        return true;
    });
    name.input.setAttribute("autofocus", "");
    const sheet = context.sheet({ title: t("devices.rename"), body: [form.element] });
    form.onDone = sheet.close;
    name.input.select();
}

/**
 * @param {Context} context
 * @param {Device} device
 */
export function askForPlace(context, device) {
    const { t, store } = context;
    const fields = createPlaceFields(context, device, { isExact: device.kind === "site" });
    const remove = createButton({
        text: t("devices.place_remove"),
        kind: "text",
        press: async () => {
            try {
                await store.renameDevice(device.id, { latitude: null, longitude: null });
                sheet.close();
            } catch (error) {
                context.toast({ text: context.explain(error) });
            }
        },
    });
    const form = createForm(context, fields.elements, async () => {
        const place = fields.read();
        if (place === null) return false;
        await store.renameDevice(device.id, place);
        return true;
    });

    const sheet = context.sheet({
        title: t("devices.place"),
        lead: t("devices.place_text"),
        body: [form.element, device.latitude === null ? null : remove.element],
    });
    form.onDone = sheet.close;
}

/**
 * @param {Context} context
 * @param {(Element | null)[]} parts
 * @param {() => Promise<boolean>} save Whether it was saved.
 */
function createForm(context, parts, save) {
    const { t } = context;
    const problem = createProblem();
    const button = createButton({ text: t("common.save"), busyText: t("common.saving"), kind: "primary", isSubmit: true });
    const element = h("form", { class: "form", novalidate: true }, ...parts, problem.element, button.element);
    const form = { element, onDone: () => {} };
    element.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (button.isBusy) return;
        problem.show("");
        button.setBusy(true);
        try {
            if (await save()) form.onDone();
        } catch (error) {
            const isOther = isProblem(error) && error.status === 412;
            if (isOther) await context.store.refresh().catch(() => {});
            problem.show(isOther ? t("common.changedElsewhere") : context.explain(error));
        } finally {
            button.setBusy(false);
        }
    });
    return form;
}
