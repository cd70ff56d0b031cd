/** What is said of an endpoint, and the rows with which one is changed. */

import { createRow } from "../../components/list-row/list-row.js";
import { showSecret } from "../../components/secret/secret.js";
import { createSwitch } from "../../components/switch/switch.js";
import { isBroken, standingOf } from "../../water/ways.js";

/** @typedef {import("../../app/context.js").Context} Context */

/** @typedef {import("../../app/push.js").Endpoint} Endpoint */

/**
 * What is known of an endpoint, in a few words behind what it is.
 * @param {Pick<Context, "t" | "format">} context
 * @param {Endpoint} endpoint
 */
export function proofOf(context, endpoint) {
    const { t } = context;
    return t(`ways.proof_${standingOf(endpoint)}`, valuesOf(context, endpoint));
}

/**
 * The values in sentences about what is known of an endpoint.
 * @param {Pick<Context, "format">} context
 * @param {Endpoint} endpoint
 */
export function valuesOf({ format }, endpoint) {
    const { nothingSince, lastArrivedAt, lastArrivedAfterMilliseconds, lastAcceptedAt, lastStatus } = endpoint;
    const last = standingOf(endpoint) === "arrived" ? lastArrivedAt : lastAcceptedAt;
    return {
        time: nothingSince ? format.placed(Date.parse(nothingSince)) : "",
        at: last ? format.at(Date.parse(last)) : "",
        span: format.number((lastArrivedAfterMilliseconds ?? 0) / 1000, 1),
        status: lastStatus ?? "",
    };
}

/**
 * The shape beside an endpoint: a dash where nothing is known of it now.
 * @param {Endpoint} endpoint
 * @returns {import("../../components/shape/shape.js").ShapeName}
 */
export function shapeOf(endpoint) {
    if (isBroken(endpoint)) return "fault";
    return ["untested", "paused"].includes(standingOf(endpoint)) ? "snoozed" : "fine";
}

/**
 * Further lines of an endpoint in a list.
 * @param {Pick<Context, "t">} context
 * @param {Endpoint} endpoint
 */
export function moreOf({ t }, { channel, heedsQuietHours }) {
    return channel !== "webhook" && heedsQuietHours === false ? [t("notifications.always_short")] : [];
}

/**
 * A row that says whether alerts come to an endpoint in quiet hours too; null where nobody can choose: webhooks are always told, and a
 * service of before knows of no quiet hours.
 * @param {Context} context
 * @param {Endpoint} endpoint
 * @param {() => void} changed
 */
export function createAlways(context, endpoint, changed) {
    const { t, api } = context;
    if (endpoint.channel === "webhook" || endpoint.heedsQuietHours === undefined) return null;
    let isAlways = !endpoint.heedsQuietHours;
    const toggle = createSwitch({
        label: t("notifications.always"),
        isOn: isAlways,
        async onTurn(isOn) {
            try {
                const { data } = await api.patch(`/endpoints/${endpoint.id}`, { heedsQuietHours: !isOn });
                isAlways = !data.heedsQuietHours;
                changed();
            } catch (error) {
                context.toast({ text: context.explain(error) });
            }
            toggle.show(isAlways);
        },
    });
    return createRow({ name: t("notifications.always"), detail: t("notifications.always_text"), control: toggle.element }).element;
}

/**
 * A row that gives a webhook another secret; null for what has none of ours.
 * @param {Context} context
 * @param {Endpoint} endpoint
 * @param {object} act
 * @param {(action: () => Promise<void>) => void} act.perform
 * @param {() => void} act.changed
 */
export function createSecretRow(context, endpoint, { perform, changed }) {
    if (endpoint.channel !== "webhook") return null;
    const press = () => perform(() => renewSecret(context, endpoint, changed));
    return createRow({ name: context.t("notifications.rotate"), isAction: true, press }).element;
}

/**
 * Another secret for a webhook, which is shown this once.
 * @param {Context} context
 * @param {Endpoint} endpoint
 * @param {() => void} changed
 */
export async function renewSecret(context, endpoint, changed) {
    const { data } = await context.api.post(`/endpoints/${endpoint.id}/secret`, {}, { once: true });
    showSecret(context, data.secret, context.t("notifications.rotate_text"));
    changed();
}

/**
 * A row that takes an endpoint out of use, once the person agrees.
 * @param {Context} context
 * @param {Endpoint} endpoint
 * @param {object} act
 * @param {string} act.name
 * @param {(action: () => Promise<void>) => void} act.perform
 * @param {() => void} act.removed
 */
export function createRemovalRow(context, endpoint, { name, perform, removed }) {
    const { t, api } = context;

    async function press() {
        const agrees = await context.confirm({
            title: t("notifications.remove_title", { name }),
            text: t("notifications.remove_text"),
            action: t("notifications.remove"),
            isGrave: true,
        });
        if (!agrees) return;
        perform(async () => {
            await api.delete(`/endpoints/${endpoint.id}`);
            removed();
        });
    }

    return createRow({ name: t("ways.remove", { name }), isAction: true, isGrave: true, press }).element;
}
