/** Keys that nobody has saved yet: the window asks before it is closed, and another screen says that they are still here. */

import { isAtStake } from "../../app/enrolment.js";

/** @typedef {import("../../app/enrolment.js").Enrolment} Enrolment */

/** Enrolments whose keys are watched, each with what takes its reminder away. @type {WeakMap<Enrolment, () => void>} */
const watched = new WeakMap();

/**
 * The keys' own screen stands: nobody has to be reminded of it.
 * @param {Enrolment} enrolment
 */
export function watchKeys(enrolment) {
    const known = watched.get(enrolment);
    if (known) return known();
    watched.set(enrolment, () => {});
    enrolment.batch.subscribe(() => {
        if (isAtStake(enrolment.batch.value)) return addEventListener("beforeunload", ask);
        removeEventListener("beforeunload", ask);
        // The reminder goes with keys that were saved, and with the session.
        watched.get(enrolment)?.();
    });
}

/**
 * The screen is left within the app, where nothing is lost yet.
 * @param {import("../../app/context.js").Context} context
 * @param {Enrolment} enrolment
 */
export function remind({ t, toast, navigate, session }, enrolment) {
    if (!isAtStake(enrolment.batch.value) || session.state.value !== "in") return;
    const action = { text: t("enrol.unsaved_back"), press: () => void navigate("/devices/enrol") };
    watched.set(enrolment, toast({ text: t("enrol.unsaved"), action }));
}

/** @param {BeforeUnloadEvent} event */
function ask(event) {
    event.preventDefault();
}
