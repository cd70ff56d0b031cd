/**
 * The latest alert of the parameter, in a sentence that leads to it.
 */

import { createIcon } from "../../../components/shape/shape.js";
import { h, set, setText } from "../../../page/dom.js";
import { joined, listed } from "../../../words/sentence.js";

const mostReminders = 3;

/** @param {import("../../../app/context.js").Context} context */
export function createAlertLink({ t, format }) {
    const text = h("span");
    const element = h("a", { class: "details-alert", hidden: true }, text, createIcon("chevronRight", "icon-small"));
    return {
        element,
        /**
         * @param {readonly import("./reading.js").Told[]} told
         * @param {number} now
         */
        update(told, now) {
            const alarms = told.filter(({ purpose }) => purpose === "alarm" || purpose === "past").sort((one, other) => other.time - one.time);
            const [latest] = alarms;
            set(element, "hidden", latest === undefined);
            if (!latest) return;
            const reminders = told
                .filter((alert) => alert.purpose === "reminder" && alert.time > latest.time && !alert.change === !latest.change)
                .sort((one, other) => one.time - other.time)
                .slice(-mostReminders);
            const texts = [t(latest.change ? `details.alert_${latest.change}` : "details.alert", { at: format.at(latest.time, now) })];
            if (reminders.length > 0) {
                texts.push(t("details.reminders", {
                    count: reminders.length,
                    times: listed({ t }, reminders.map((alert) => format.at(alert.time, now))),
                }));
            }
            setText(text, joined({ t }, ...texts));
            set(element, "href", `/alerts/${encodeURIComponent(latest.id)}`);
        },
    };
}
