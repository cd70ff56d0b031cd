/** What is said of an endpoint, and the rows with which one is changed. */

import { createRow } from "../../components/list-row/list-row.js";
import { showSecret } from "../../components/secret/secret.js";
import { createSwitch } from "../../components/switch/switch.js";
import { isBroken, standingOf } from "../../water/ways.js";

/** @typedef {import("../../app/context.js").Context} Context */

/** @typedef {import("../../app/push.js").Endpoint} Endpoint */

/**
 * The last proof of an endpoint, in a few words behind what it is.
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
    const { nothingSince, unconfirmedSince, lastArrivedAt, lastArrivedAfterMilliseconds, lastAcceptedAt, lastStatus } = endpoint;
    const since = nothingSince ?? unconfirmedSince;
    const last = standingOf(endpoint) === "arrived" ? lastArrivedAt : lastAcceptedAt;
    return {
        time: since ? format.placed(Date.parse(since)) : "",
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
 * A choice about an endpoint, made by a switch. A service of before does not know some of them.
 * @typedef {object} Choice
 * @property {string} words Its label; with `_text` what it means, with `_short` the line in a list.
 * @property {(endpoint: Endpoint) => boolean | undefined} isOn
 * @property {(isOn: boolean) => object} change What the service is asked.
 */

/** @type {readonly Choice[]} */
const choices = [
    {
        words: "notifications.urgent",
        isOn: ({ onlyUrgent }) => onlyUrgent,
        change: (isOn) => ({ onlyUrgent: isOn }),
    },
    {
        words: "notifications.always",
        isOn: ({ heedsQuietHours }) => heedsQuietHours === undefined ? undefined : !heedsQuietHours,
        change: (isOn) => ({ heedsQuietHours: !isOn }),
    },
];

/** The choices that there are: of webhooks none, which are told everything at all hours. @param {Endpoint} endpoint */
const choicesOf = (endpoint) => endpoint.channel === "webhook" ? [] : choices.filter(({ isOn }) => isOn(endpoint) !== undefined);

/**
 * Further lines of an endpoint in a list.
 * @param {Pick<Context, "t">} context
 * @param {Endpoint} endpoint
 */
export function moreOf({ t }, endpoint) {
    return choicesOf(endpoint).filter(({ isOn }) => isOn(endpoint)).map(({ words }) => t(`${words}_short`));
}

/**
 * A row with a switch for each choice.
 * @param {Context} context
 * @param {Endpoint} endpoint
 * @param {() => void} changed
 */
export function createChoices(context, endpoint, changed) {
    return choicesOf(endpoint).map((choice) => createChoice(context, endpoint, choice, changed));
}

/**
 * @param {Context} context
 * @param {Endpoint} endpoint
 * @param {Choice} choice
 * @param {() => void} changed
 */
function createChoice(context, endpoint, { words, isOn, change }, changed) {
    const { t, api } = context;
    let holds = isOn(endpoint) === true;
    const toggle = createSwitch({
        label: t(words),
        isOn: holds,
        async onTurn(isWanted) {
            try {
                const { data } = await api.patch(`/endpoints/${endpoint.id}`, change(isWanted));
                holds = isOn(data) === true;
                changed();
            } catch (error) {
                context.toast({ text: context.explain(error) });
            }
            toggle.show(holds);
        },
    });
    return createRow({ name: t(words), detail: t(`${words}_text`), control: toggle.element }).element;
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
