/** What rings anyway in quiet hours, and what waits. */

import { createList, createRow } from "../../components/list-row/list-row.js";
import { h } from "../../page/dom.js";
import { ringing } from "../../water/quiet.js";
import { listed } from "../../words/sentence.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {import("../../water/quiet.js").Hours} Hours */

/** @param {Context} context */
function ringingOf({ store }) {
    return ringing(store.devices.value ?? [], (device) => store.parameters.value.get(device)?.items ?? []);
}

/**
 * The row of what rings anyway: the parameters that have a critical limit, and the silence of a device.
 * @param {Context} context
 * @param {Hours} hours
 */
export function anyway(context, { silenceRings }) {
    const { t, store } = context;
    const criticals = ringingOf(context).flatMap((one) => one.criticals);
    const name = t("quiet.rings");
    const silence = silenceRings ? [t("quiet.rings_silence")] : [];
    if (criticals.length === 0) {
        const devices = store.devices.value ?? [];
        const device = devices.find(({ id }) => id === store.current.value?.id) ?? devices[0];
        return {
            name,
            detail: t(silenceRings ? "quiet.rings_silenceOnly" : "quiet.rings_none"),
            count: 0,
            isNone: true,
            href: device ? `/settings#${encodeURIComponent(device.id)}` : "/devices/link",
        };
    }
    const names = [...new Set(criticals.map(({ parameter }) => t(`water.${parameter.name}_full`)))];
    return { name, detail: [...names, ...silence].join(" · "), count: criticals.length + silence.length, isNone: false, href: undefined };
}

/**
 * @param {Context} context
 * @param {Hours} hours
 */
export function openRinging(context, { silenceRings }) {
    const { t, format } = context;
    context.sheet({
        title: t("quiet.rings"),
        lead: t("quiet.rings_lead"),
        body: [
            ...ringingOf(context).flatMap(({ device, criticals }) => [
                h("h3", { class: "section-head" }, device.name),
                createList(...criticals.map(({ parameter, minimum, maximum }) => {
                    const { name, unit, decimals } = parameter;
                    /** @param {number} value */
                    const text = (value) => format.withUnit(format.number(value, decimals), unit);
                    const limits = [
                        ...minimum === null ? [] : [t("quiet.below", { value: text(minimum) })],
                        ...maximum === null ? [] : [t("quiet.above", { value: text(maximum) })],
                    ];
                    return createRow({ name: t(`water.${name}_full`), detail: listed(context, limits) }).element;
                })),
            ]),
            silenceRings ? h("h3", { class: "section-head" }, t("quiet.rings_each")) : null,
            silenceRings ? createList(createRow({ name: t("quiet.rings_silent"), detail: t("quiet.silence_text") }).element) : null,
        ],
    });
}

/**
 * @param {Context} context
 * @param {Hours} hours
 */
export function openWaiting({ t, format, sheet }, { until, silenceRings }) {
    const [hour, minute] = until.split(":").map(Number);
    sheet({
        title: t("quiet.waits", { time: format.placedTimeOfDay(hour * 60 + minute) }),
        lead: t("quiet.waits_lead"),
        body: [
            createList(
                createRow({ name: t("quiet.waits_range"), detail: t("quiet.waits_rangeDetail") }).element,
                createRow({ name: t("quiet.waits_course") }).element,
                createRow({ name: t("quiet.waits_probes") }).element,
                silenceRings ? null : createRow({ name: t("quiet.rings_silent") }).element,
                createRow({ name: t("quiet.waits_rest") }).element,
            ),
        ],
    });
}
