/** Where a person is alerted, and how each place fares. */

import { createList, createRow } from "../../components/list-row/list-row.js";
import { createProblem } from "../../components/page/page.js";
import { showSecret } from "../../components/secret/secret.js";
import { createSwitch } from "../../components/switch/switch.js";
import { h } from "../../page/dom.js";
import { nameOf } from "../../words/endpoint-name.js";
import { nameOfForm, openForm } from "./form.js";

/** @typedef {import("../../app/context.js").Context} Context */

/** @typedef {import("../../app/push.js").Endpoint} Endpoint */

/**
 * How an endpoint fares, in a sentence.
 * @param {Context} context
 * @param {Endpoint} endpoint
 */
export function healthOf({ t, format }, endpoint) {
    const since = endpoint.nothingSince ? format.placed(Date.parse(endpoint.nothingSince)) : "";
    switch (endpoint.state) {
        case "gone":
            return t("notifications.gone", { time: since });
        case "paused":
            return t("notifications.paused", { time: since });
        case "failing":
            return endpoint.lastStatus === null
                ? t("notifications.failing", { time: since })
                : t("notifications.failing_status", { status: endpoint.lastStatus, time: since });
        default:
            // The last proof of a phone is its own word, unless a later message brought none.
            if (endpoint.lastArrivedAt && Date.parse(endpoint.lastArrivedAt) >= Date.parse(endpoint.lastAcceptedAt ?? endpoint.lastArrivedAt)) {
                return t("notifications.arrived", {
                    at: format.at(Date.parse(endpoint.lastArrivedAt)),
                    span: format.number((endpoint.lastArrivedAfterMilliseconds ?? 0) / 1000, 1),
                });
            }
            return endpoint.lastAcceptedAt
                ? t("notifications.reached", { at: format.at(Date.parse(endpoint.lastAcceptedAt)) })
                : t("notifications.never");
    }
}

/**
 * What a person chooses of an endpoint by a switch. A service of before does not know some of it.
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
 * One endpoint in a sheet: its health, a test, a new secret, its end.
 * @param {Context} context
 * @param {Endpoint} endpoint
 * @param {object} act
 * @param {(endpoint: Endpoint) => Promise<void>} act.test
 * @param {() => void} act.changed
 */
export function openEndpoint(context, endpoint, { test, changed }) {
    const { t, api, format } = context;
    const problem = createProblem();
    const actions = createList(
        ...createChoices(context, endpoint, changed),
        endpoint.channel === "webhook" && endpoint.form
            ? createRow({
                name: t("notifications.form"),
                value: nameOfForm(context, endpoint.form),
                press: () => perform(() => openForm(context, endpoint, changed)),
            }).element
            : null,
        createRow({ name: t("notifications.test"), isAction: true, press: () => perform(() => test(endpoint)) }).element,
        endpoint.channel === "webhook"
            ? createRow({ name: t("notifications.rotate"), isAction: true, press: rotate }).element
            : null,
        createRow({ name: t("notifications.remove"), isAction: true, isGrave: true, press: remove }).element,
    );

    /** @param {() => Promise<void>} action */
    async function perform(action) {
        problem.show("");
        try {
            await action();
            sheet.close();
        } catch (error) {
            problem.show(context.explain(error));
        }
    }

    function rotate() {
        perform(async () => {
            const { data } = await api.post(`/endpoints/${endpoint.id}/secret`, {}, { once: true });
            sheet.close();
            showSecret(context, data.secret, t("notifications.rotate_text"));
            changed();
        });
    }

    async function remove() {
        const agrees = await context.confirm({
            title: t("notifications.remove_title", { name: nameOf(context, endpoint) }),
            text: t("notifications.remove_text"),
            action: t("notifications.remove"),
            isGrave: true,
        });
        if (!agrees) return;
        await perform(async () => {
            await api.delete(`/endpoints/${endpoint.id}`);
            changed();
        });
    }

    const sheet = context.sheet({
        title: nameOf(context, endpoint),
        lead: healthOf(context, endpoint),
        body: [
            h("p", { class: "small quiet" }, t("notifications.since", { date: format.date(Date.parse(endpoint.registeredAt)) })),
            endpoint.channel === "webhook" ? h("p", { class: "small quiet" }, t("notifications.always_webhook")) : null,
            actions,
            problem.element,
        ],
    });
}
