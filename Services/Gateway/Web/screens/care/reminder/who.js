/** Whom a reminder reminds: everybody who shares the tank, or some of them. Whoever does it, it is done for all. */

import { createButton } from "../../../components/button/button.js";
import { createList, createRow } from "../../../components/list-row/list-row.js";
import { createSwitch } from "../../../components/switch/switch.js";
import { personText } from "../../../water/care-words.js";

/** @typedef {import("../../../water/care.js").By} By */
/** @typedef {import("../../../water/care.js").Reminder} Reminder */

/**
 * Those who share a tank, as far as it is known: those that the service names, and whoever has done something.
 * @param {import("../../../app/context.js").Context} context
 * @param {import("../../../app/care.js").Care} care
 * @param {Reminder} reminder
 * @returns {Promise<By[]>}
 */
async function peopleOf({ api }, care, { device, who }) {
    const answer = care.shown.value;
    const own = new Set(answer?.reminders.flatMap((one) => one.device === device ? [one.id] : []));
    const known = [
        ...who,
        ...answer?.reminders.flatMap((one) => own.has(one.id) ? [...one.who, one.lastDoneBy] : []) ?? [],
        ...answer?.occurrences.flatMap((one) => own.has(one.reminder) ? [one.by] : []) ?? [],
    ];
    /** @type {By[]} */
    const others = await api.get(`/devices/${encodeURIComponent(device)}/chain`)
        .then(({ data }) => data.people.map((/** @type {{id: string, name: string}} */ { id, name }) => ({ id, name, isMe: false })))
        .catch(() => []);
    const people = [...known, ...others].flatMap((by) => by && by.id !== "" ? [by] : []);
    return [...new Map(people.map((by) => [by.id, by])).values()];
}

/**
 * @param {import("../../../app/context.js").Context} context
 * @param {import("../../../app/care.js").Care} care
 * @param {Reminder} reminder
 * @param {(people: By[]) => void} choose
 */
export async function choosePeople(context, care, reminder, choose) {
    const { t } = context;
    const people = await peopleOf(context, care, reminder);
    const chosen = new Set(reminder.who.map(({ id }) => id));
    const rows = people.map((by) => {
        const name = personText(context, by);
        const control = createSwitch({
            label: name,
            isOn: chosen.has(by.id),
            onTurn: (isOn) => isOn ? chosen.add(by.id) : chosen.delete(by.id),
        });
        return createRow({ name, control: control.element }).element;
    });
    const sheet = context.sheet({
        title: t("care.who"),
        lead: t(people.length === 0 ? "care.who_alone" : "care.who_lead"),
        body: [
            rows.length === 0 ? null : createList(...rows),
            createButton({
                text: t("care.who_do"),
                kind: "primary",
                isLarge: true,
                press() {
                    choose(people.filter(({ id }) => chosen.has(id)));
                    sheet.close();
                },
            }).element,
        ],
    });
}
