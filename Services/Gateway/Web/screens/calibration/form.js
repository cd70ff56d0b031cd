/** An entry of a calibration log is written: what was done, in which standards the probe read what, and what goes with it. */

import { randomKey } from "../../app/api.js";
import { careOf } from "../../app/care.js";
import { createButton } from "../../components/button/button.js";
import { createField } from "../../components/field/field.js";
import { unkeptText } from "../../components/entry/not-kept.js";
import { createProblem } from "../../components/page/page.js";
import { createChoices } from "../../components/picker/choice.js";
import { createSwitch } from "../../components/switch/switch.js";
import { h } from "../../page/dom.js";
import { kinds, reminderOf } from "../../water/calibration.js";
import { parseNumber } from "../../words/numbers.js";
import { createPoints } from "./points.js";

/** @typedef {import("../../water/calibration.js").Kind} Kind */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../app/calibrations.js").Calibrations} calibrations
 * @param {string} device
 * @param {import("../../water/calibration.js").Parameter} parameter
 */
export function openForm(context, calibrations, device, parameter) {
    const { t, format, store, toast } = context;
    const care = careOf(context);
    /** @type {Kind} */
    let kind = "calibrate";
    /** One id for what is on the sheet: pressed twice it is one entry. */
    const id = randomKey();
    const points = createPoints(context, parameter);
    const choices = createChoices({
        label: t("calibration.kind"),
        options: kinds.map((value) => ({ value, text: t(`calibration.kind_${value}`) })),
        value: kind,
        onChoose(next) {
            kind = /** @type {Kind} */ (next);
            choices.show(kind);
            points.setAfter(kind !== "check");
        },
    });
    const temperature = createField({
        label: `${t("calibration.temperature")} (${format.withUnit("", "C").trim()})`,
        name: "temperature",
        inputmode: "decimal",
        maxlength: 6,
    });
    const note = createField({ label: t("calibration.note"), name: "note", rows: 2, maxlength: 500 });
    const problem = createProblem();
    const save = createButton({ text: t("common.save"), busyText: t("common.saving"), kind: "primary", isLarge: true, isSubmit: true });
    const work = createSwitch({
        label: t("calibration.work"),
        isOn: false,
        onTurn: (isOn) => isOn && void begin(),
    });
    const form = h(
        "form",
        { class: "form", novalidate: true },
        store.deviceOf(device)?.work ? null : h("div", { class: "calibration-work" }, h("span", null, t("calibration.work")), work.element),
        choices.element,
        points.element,
        temperature.element,
        note.element,
        problem.element,
        save.element,
    );
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        void write();
    });
    const sheet = context.sheet({ title: t("calibration.add"), lead: t(`water.${parameter.name}_full`), body: [form] });

    /** Lets alerts wait from now on, while the probe is out of the water. */
    async function begin() {
        try {
            await store.beginWork(device, "calibration");
        } catch (error) {
            work.show(false);
            problem.show(context.explain(error));
        }
    }

    async function write() {
        const said = points.read();
        const degrees = temperature.value.trim() === "" ? null : parseNumber(temperature.value);
        const isNoNumber = said === null || temperature.value.trim() !== "" && degrees === null;
        if (isNoNumber) return problem.show(t("calibration.noNumber"));
        if (kind === "check" && !said.some(({ before }) => before !== null)) return problem.show(t("calibration.missing"));
        problem.show("");
        save.setBusy(true);
        try {
            await calibrations.write(device, parameter.name, {
                id,
                kind,
                at: new Date().toISOString(),
                unit: parameter.unit,
                points: said,
                temperature: degrees,
                note: note.value.trim() || null,
                by: { id: "", name: "", isMe: true },
            });
            sheet.close();
            offer();
        } catch (error) {
            problem.show(unkeptText(context, error));
        } finally {
            save.setBusy(false);
        }
    }

    /** Offers to tick off the reminder that asked for it. */
    function offer() {
        const item = kind === "check" ? null : reminderOf(care.todo(Date.now(), format.zone), device);
        if (!item) return toast({ text: t("calibration.saved") });
        const { name } = item.reminder;
        toast({
            text: t("calibration.saved"),
            action: {
                text: t("calibration.tick", { name }),
                press: () => void care.act(item, "done").catch((error) => toast({ text: unkeptText(context, error) })),
            },
        });
    }
}
