/** Whom a reminder reminds, of those who share the tank. Whoever does it, it is done for all. */

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
    const known = [...who ?? [], ...toldOf(care, device)];
    /** @type {By[]} */
    const others = await api.get(`/devices/${encodeURIComponent(device)}/chain`)
        .then(({ data }) => data.people.map((/** @type {{id: string, name: string}} */ { id, name }) => ({ id, name, isMe: false })))
        .catch(() => []);
    return [...new Map([...others, ...known].map((by) => [by.id, by])).values()];
}

/**
 * Those whom a tank's reminders name.
 * @param {import("../../../app/care.js").Care} care
 * @param {string} device
 * @returns {By[]}
 */
function toldOf(care, device) {
    const reminders = care.shown.value?.reminders.filter((one) => one.device === device) ?? [];
    return reminders.flatMap(({ who, lastDoneBy }) => [...who ?? [], ...lastDoneBy ? [lastDoneBy] : []]).filter(({ id }) => id !== "");
}

/**
 * Whether it is known who one is among those who share a tank.
 * @param {import("../../../app/care.js").Care} care
 * @param {string} device
 */
export const knowsOneself = (care, device) => toldOf(care, device).some(({ isMe }) => isMe);

/**
 * @param {import("../../../app/context.js").Context} context
 * @param {import("../../../app/care.js").Care} care
 * @param {Reminder} reminder
 * @param {(people: By[]) => void} choose
 */
export async function choosePeople(context, care, reminder, choose) {
    const { t } = context;
    const people = await peopleOf(context, care, reminder);
    // Of a new one it is told to whoever makes it.
    const chosen = new Set((reminder.who ?? people.filter(({ isMe }) => isMe)).map(({ id }) => id));
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
