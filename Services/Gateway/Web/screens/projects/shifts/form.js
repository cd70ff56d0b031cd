/** Adding, changing and removing a shift. */

import { projectsOf } from "../../../app/projects.js";
import { createButton } from "../../../components/button/button.js";
import { createDays } from "../../../components/days/days.js";
import { createField } from "../../../components/field/field.js";
import { createForm } from "../../../components/form/form.js";
import { createList, createRow } from "../../../components/list-row/list-row.js";
import { createSwitch } from "../../../components/switch/switch.js";
import { h } from "../../../page/dom.js";
import { daysWith, minutesOf, usual } from "../../../water/quiet.js";
import { ChangedElsewhere, isProblem } from "../../../words/problem.js";

/** @typedef {import("../../../water/shifts.js").Shift} Shift */

const longestName = 60;

/**
 * @param {import("./shifts.js").Scene} scene
 * @param {Shift | null} shift null: another one.
 */
export function openShift(scene, shift) {
    const { context, members, rota, nameOf } = scene;
    const { t, format } = context;
    let chosen = shift?.days ?? usual.days;
    const standing = new Set(shift?.members ?? []);
    const name = createField({ label: t("projects.name"), name: "name", value: shift?.name ?? "", placeholder: t("shifts.name_example"), maxlength: longestName });
    const from = createField({ label: t("quiet.from"), name: "from", type: "time", value: shift?.from ?? "" });
    const until = createField({ label: t("quiet.until"), name: "until", type: "time", value: shift?.until ?? "" });
    until.setHint(t("shifts.until_hint"));
    const days = createDays({
        label: t("shifts.days"),
        locale: format.locale,
        onChoose(day) {
            const next = daysWith(chosen, day);
            if (next === null) return context.toast({ text: t("quiet.oneDay") });
            chosen = next;
            days.show(next);
        },
    });
    days.show(chosen);
    const people = createList(...members.map(({ id }) => {
        const label = nameOf(id);
        const toggle = createSwitch({ label, isOn: standing.has(id), onTurn: (isOn) => void (isOn ? standing.add(id) : standing.delete(id)) });
        return createRow({ name: label, control: toggle.element }).element;
    }));
    const form = createForm(context, {
        fields: [{ name: "name", field: name }, { name: "from", field: from }, { name: "until", field: until }],
        text: t("common.save"),
        busyText: t("common.saving"),
        async submit() {
            if (name.value.trim() === "") return refuse(name, t("projects.name_missing"));
            for (const field of [from, until]) if (minutesOf(field.value) === null) return refuse(field, t("shifts.time_missing"));
            const next = { id: shift?.id ?? null, name: name.value.trim(), days: chosen, from: from.value.slice(0, 5), until: until.value.slice(0, 5), members: [...standing] };
            await put(scene, shift ? rota.shifts.map((one) => one.id === shift.id ? next : one) : [...rota.shifts, next]);
            sheet.close();
        },
    });
    form.lastElementChild?.before(
        h("p", { class: "field-label", "aria-hidden": "true" }, t("shifts.days")),
        days.element,
        h("h3", { class: "section-head" }, t("shifts.members")),
        people,
    );
    const remove = shift === null ? null : createButton({
        text: t("shifts.remove"),
        kind: "text",
        press: async () => {
            const agrees = await context.confirm({ title: t("shifts.remove_title", { name: shift.name }), text: t("shifts.remove_text"), action: t("shifts.remove_do"), isGrave: true });
            if (!agrees) return;
            sheet.close();
            await scene.perform(() => put(scene, rota.shifts.filter(({ id }) => id !== shift.id)));
        },
    });
    const sheet = context.sheet({ title: shift?.name ?? t("shifts.add"), body: [form, ...remove ? [remove.element] : []] });
}

/** @param {import("../../../components/field/field.js").Field} field @param {string} what */
function refuse(field, what) {
    field.setFault({ what });
    field.focus();
}

/**
 * Sets all shifts; those that somebody else has changed meanwhile are read again first.
 * @param {import("./shifts.js").Scene} scene
 * @param {readonly Shift[]} shifts
 */
async function put({ context, id, tag, read }, shifts) {
    try {
        await projectsOf(context).setShifts(id, shifts, tag);
    } catch (error) {
        if (!isProblem(error) || error.status !== 412) throw error;
        await read();
        throw new ChangedElsewhere();
    }
    await read();
}
