/** An entry of a calibration log is written or changed: what was done and when, in which standards the probe read what, and what goes with it. */

import { randomKey } from "../../app/api.js";
import { careOf } from "../../app/care.js";
import { createButton } from "../../components/button/button.js";
import { createField } from "../../components/field/field.js";
import { unkeptText } from "../../components/entry/not-kept.js";
import { createWhen } from "../../components/entry/when.js";
import { createProblem } from "../../components/page/page.js";
import { createChoices } from "../../components/picker/choice.js";
import { createSwitch } from "../../components/switch/switch.js";
import { h } from "../../page/dom.js";
import { faultOf, isCalibration, kinds, reminderOf } from "../../water/calibration.js";
import { parseNumber } from "../../words/numbers.js";
import { createPoints } from "./points.js";
import { removeEntry } from "./removing.js";

/** @typedef {import("../../water/calibration.js").Entry} Entry */
/** @typedef {import("../../water/calibration.js").Kind} Kind */

/** What the service takes as the temperature of standards, in °C. */
const coldest = -5;
const hottest = 60;

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} what
 * @param {import("../../app/calibrations.js").Calibrations} what.calibrations
 * @param {string} what.device
 * @param {import("../../water/calibration.js").Parameter} what.parameter
 * @param {Entry} [what.known] The entry that is changed, in whatever unit it was written.
 */
export function openForm(context, { calibrations, device, parameter, known }) {
    const { t, format, store, toast } = context;
    const care = careOf(context);
    const unit = known?.unit ?? parameter.unit;
    /** @type {Kind} */
    let kind = known?.kind ?? "calibrate";
    /** One id for what is on the sheet: pressed twice it is one entry. */
    const id = known?.id ?? randomKey();
    const points = createPoints(context, parameter, unit, known?.points ?? []);
    const choices = createChoices({
        label: t("calibration.kind"),
        options: kinds.map((value) => ({ value, text: t(`calibration.kind_${value}`) })),
        value: kind,
        onChoose: (next) => choose(/** @type {Kind} */ (next)),
    });
    const when = createWhen(context, known?.at ?? new Date().toISOString(), known !== undefined);
    const degrees = known?.temperature ?? null;
    const temperature = createField({
        label: `${t("calibration.temperature")} (${format.withUnit("", "C").trim()})`,
        name: "temperature",
        inputmode: "decimal",
        maxlength: 6,
        value: degrees === null ? "" : format.number(degrees, String(degrees).split(".")[1]?.length ?? 0),
    });
    const note = createField({ label: t("calibration.note"), name: "note", rows: 2, maxlength: 500, value: known?.note ?? "" });
    const problem = createProblem();
    const save = createButton({ text: t("common.save"), busyText: t("common.saving"), kind: "primary", isLarge: true, isSubmit: true });
    const work = createSwitch({ label: t("calibration.work"), isOn: false, onTurn: (isOn) => isOn && void begin() });
    const form = h(
        "form",
        { class: "form", novalidate: true },
        known || store.deviceOf(device)?.work
            ? null
            : h("div", { class: "calibration-work" }, h("span", null, t("calibration.work")), work.element),
        choices.element,
        points.element,
        when.element,
        temperature.element,
        note.element,
        problem.element,
        save.element,
        known ? createButton({ text: t("calibration.delete"), press: () => void remove(known) }).element : null,
    );
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        if (!save.isBusy) void write();
    });
    choose(kind);
    const sheet = context.sheet({
        title: known ? t("calibration.change") : t("calibration.add"),
        lead: t(`water.${parameter.name}_full`),
        body: [form],
    });

    /** @param {Kind} next */
    function choose(next) {
        kind = next;
        choices.show(kind);
        points.setAfter(kind !== "check");
    }

    /** Lets alerts wait from now on, while the probe is out of the water. */
    async function begin() {
        try {
            await store.beginWork(device, "calibration");
        } catch (error) {
            work.show(false);
            problem.show(context.explain(error));
        }
    }

    /** What was typed; null where something of it cannot be, which is told. @returns {Entry | null} */
    function said() {
        problem.show("");
        const read = points.read();
        const fault = faultOf(kind, read);
        if (fault || !read) {
            problem.show(t(`calibration.${fault ?? "noNumber"}`));
            return null;
        }
        const number = temperature.value.trim() === "" ? null : parseNumber(temperature.value) ?? NaN;
        if (number !== null && !(number >= coldest && number <= hottest)) {
            temperature.setFault({ what: t("calibration.notDegrees", { least: format.number(coldest, 0), greatest: format.number(hottest, 0) }) });
            temperature.focus();
            return null;
        }
        const at = when.read();
        if (at === null) return null;
        const by = known ? known.by : { id: "", name: "", isMe: true };
        return { id, kind, at, unit, points: read, temperature: number, note: note.value.trim() || null, by, version: known?.version };
    }

    async function write() {
        const entry = said();
        if (!entry) return;
        save.setBusy(true);
        try {
            await calibrations.write(device, parameter.name, entry);
            sheet.close();
            void offer();
        } catch (error) {
            problem.show(unkeptText(context, error));
        } finally {
            save.setBusy(false);
        }
    }

    /** @param {Entry} gone */
    async function remove(gone) {
        try {
            if (await removeEntry(context, calibrations, { device, parameter: parameter.name, id: gone.id })) sheet.close();
        } catch (error) {
            problem.show(unkeptText(context, error));
        }
    }

    /** Offers to tick off the reminder that asked for it. */
    async function offer() {
        // the first minute of a visit may come before what is due was read
        if (!care.known.value.answer) await care.read();
        const item = known || !isCalibration(kind) ? null : reminderOf(care.todo(Date.now(), format.zone), device);
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
