/** So many devices, whose ids are made for them. */

import { createField } from "../../components/field/field.js";
import { createSelect } from "../../components/select/select.js";
import { readPresets } from "../../components/presets/presets.js";
import { h } from "../../page/dom.js";
import { counted, firmwares } from "../../water/enrolment.js";
import { createBegin } from "./begin.js";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../app/enrolment.js").Enrolment} enrolment
 */
export function createCount(context, enrolment) {
    const { t } = context;
    const chosen = { firmware: "", preset: "" };
    const count = createField({ label: t("enrol.count"), name: "count", inputmode: "numeric", value: "1", maxlength: 4, onInput: tell });
    const name = createField({ label: t("enrol.name"), name: "name", placeholder: t("enrol.name_example"), maxlength: 58 });
    name.setHint(t("enrol.name_text"));
    const firmware = createSelect({
        label: t("enrol.firmware"),
        options: [{ value: "", text: t("enrol.firmware_none") }, ...firmwares.map((value) => ({ value, text: t(`enrol.firmware_${value}`) }))],
        choose: (value) => chosen.firmware = value,
    });
    const usual = { value: "", text: t("devices.keep_usual") };
    const preset = createSelect({ label: t("devices.keep"), options: [usual], choose: (value) => chosen.preset = value });
    readPresets(context).then(
        (presets) => preset.show([usual, ...presets.map(({ id, name, project }) => ({ value: id, text: project ? `${name} (${project})` : name }))]),
        // The usual limits hold; others are chosen on a device's page.
        (error) => console.info("There are no other limits to choose.", error),
    );
    const begin = createBegin(context, enrolment, () => {
        const number = numberOf();
        if (number === null) {
            count.setFault({ what: t("enrol.count_wrong") });
            count.focus();
            return null;
        }
        return counted({ count: number, name: name.value.trim(), ...chosen });
    });
    const fields = [count, name, firmware, preset].map(({ element }) => element);

    /** The number of devices; null where that is none. */
    function numberOf() {
        const text = count.value.trim();
        return /^\d+$/.test(text) && Number(text) > 0 ? Number(text) : null;
    }

    function tell() {
        const number = numberOf();
        if (number !== null) begin.show(number);
    }

    tell();
    return { element: h("div", { class: "form" }, h("div", { class: "surface form enrol-form" }, ...fields), begin.element) };
}
