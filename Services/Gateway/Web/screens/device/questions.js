/** A device's name and place, each in a sheet. */

import { createButton } from "../../components/button/button.js";
import { createField } from "../../components/field/field.js";
import { createProblem } from "../../components/page/page.js";
import { h } from "../../page/dom.js";
import { parseNumber } from "../../words/numbers.js";
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
    /** @param {number | null} value */
    const text = (value) => value === null ? "" : context.format.number(value, 5);
    const latitude = createField({
        label: t("devices.latitude"),
        name: "latitude",
        value: text(device.latitude),
        inputmode: "text",
        placeholder: context.format.number(48.20849, 5),
    });
    const longitude = createField({
        label: t("devices.longitude"),
        name: "longitude",
        value: text(device.longitude),
        inputmode: "text",
        placeholder: context.format.number(16.37208, 5),
    });
    const here = createButton({
        text: t("devices.place_here"),
        busyText: t("devices.place_finding"),
        kind: "outlined",
        press: () => find(),
    });
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
    const form = createForm(context, [
        "geolocation" in navigator ? here.element : null,
        latitude.element,
        longitude.element,
    ], async () => {
        const place = { latitude: read(latitude, 90), longitude: read(longitude, 180) };
        if (place.latitude === null || place.longitude === null) return false;
        await store.renameDevice(device.id, place);
        return true;
    });

    /**
     * @param {import("../../components/field/field.js").Field} field
     * @param {number} most
     */
    function read(field, most) {
        const value = parseNumber(field.value);
        if (value !== null && Math.abs(value) <= most) return value;
        field.setFault({ what: t("devices.degrees"), todo: t("devices.degrees_todo", { most }) });
        field.focus();
        return null;
    }

    /** @returns {Promise<void>} */
    function find() {
        return new Promise((resolve) => {
            navigator.geolocation.getCurrentPosition(({ coords }) => {
                // To about ten metres: a pond does not need more.
                latitude.value = context.format.number(coords.latitude, 4);
                longitude.value = context.format.number(coords.longitude, 4);
                latitude.setFault(null);
                longitude.setFault(null);
                resolve();
            }, () => {
                latitude.setFault({ what: t("devices.place_unknown"), todo: t("devices.place_unknownTodo") });
                resolve();
            }, { timeout: 20_000, maximumAge: 600_000 });
        });
    }

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
