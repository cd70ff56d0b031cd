/**
 * Alerts and water that go on now: the alerts that are not over, and water outside of its limits of which nobody was told. The list shows these, and the
 * badge counts them.
 */

import { isCritical, isOutside } from "../water/headline.js";
import { isHeld, snoozeOf } from "../water/snoozes.js";
import { isOpen, kindOf } from "./index.js";

/** @typedef {import("../water/alerts.js").Alert} Alert */
/** @typedef {import("../water/alerts.js").Episode} Episode */
/** @typedef {import("../water/headline.js").Gauge} Gauge */
/** @typedef {import("../water/headline.js").Tank} Tank */
/** @typedef {import("../water/snoozes.js").Snooze} Snooze */
/** @typedef {import("../water/snoozes.js").Snoozed} Snoozed */

/**
 * @typedef {object} Open
 * @property {Episode | null} episode null where nobody was told.
 * @property {Tank | null} tank
 * @property {Gauge | null} gauge The parameter, where it is about one that is known.
 * @property {Snoozed | null} snoozed Until when the person hears no more of it.
 */

/**
 * @param {readonly Episode[]} episodes The newest first.
 * @param {readonly Tank[]} tanks
 * @param {readonly Snooze[]} snoozes
 * @param {number} now
 * @returns {Open[]} What was told, the newest first, then what was not.
 */
export function openOf(episodes, tanks, snoozes, now) {
    const told = episodes.filter((episode) => isOpen(episode, tanks, now));
    const isTold = (/** @type {Tank} */ tank, /** @type {Gauge} */ gauge) =>
        told.some(({ first }) => kindOf(first).isOfRange && first.device?.id === tank.id && first.parameter === gauge.name);
    const untold = tanks.flatMap((tank) =>
        tank.gauges.filter((gauge) => isOutside(gauge) && !isTold(tank, gauge)).map((gauge) => ({
            episode: null,
            tank,
            gauge,
            snoozed: quietOf({ device: tank.id, kind: "range", parameter: gauge.name, side: gauge.side }, gauge, snoozes, now),
        }))
    );
    return [
        ...told.map((episode) => {
            const tank = tanks.find(({ id }) => id === episode.first.device?.id) ?? null;
            const gauge = tank?.gauges.find(({ name }) => name === episode.first.parameter) ?? null;
            const subject = subjectOf(episode.first);
            return { episode, tank, gauge, snoozed: subject && quietOf(subject, gauge, snoozes, now) };
        }),
        ...untold,
    ];
}

/**
 * The watch of an alert, as snoozes name it.
 * @param {Alert} alert
 * @returns {import("../water/snoozes.js").Subject | null} null of what cannot be snoozed.
 */
export function subjectOf(alert) {
    const { kind = "range", device, parameter, side } = alert;
    if (!device || kindOf(alert).isTrial) return null;
    return { device: device.id, kind, parameter, side: kindOf(alert).isOfRange ? side : null };
}

/**
 * Until when the person hears no more of a subject. Water beyond a critical limit is an alarm all the same.
 * @param {import("../water/snoozes.js").Subject} subject
 * @param {Gauge | null | undefined} gauge
 * @param {readonly Snooze[]} snoozes
 * @param {number} now
 * @returns {Snoozed | null}
 */
export function quietOf(subject, gauge, snoozes, now) {
    const held = snoozeOf(snoozes, subject);
    if (!isHeld(held, now) || (kindOf(subject).isOfRange && gauge && isCritical(gauge))) return null;
    return held;
}
