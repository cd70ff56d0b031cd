/** Where alerts go: this device, other devices, addresses; with a test that tells how long it took. */

import * as push from "../../app/push.js";
import { createBlankList, createList, createRow } from "../../components/list-row/list-row.js";
import { createPromises, createSteps } from "../../components/offer/promises.js";
import { createProblem, createSubPage } from "../../components/page/page.js";
import { createSwitch } from "../../components/switch/switch.js";
import { h } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { iconOf, nameOf } from "../../words/endpoint-name.js";
import { createChoices, healthOf, moreOf, openEndpoint } from "./endpoints.js";
import { addWay } from "./ways.js";

/** @typedef {import("./endpoints.js").Endpoint} Endpoint */

/** How long the outcome of a test is waited for. */
const patience = 60_000;
const interval = 1_000;

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, api, store, format } = context;
    context.title(t("notifications.title"));
    const page = createSubPage(context, { title: t("notifications.title"), back: "/settings" });
    const here = h("div", null, createBlankList(1));
    const others = h("div", { "aria-live": "polite" }, createBlankList(2));
    const outcome = h("p", { class: "rows-note", role: "status" });
    const throttle = h("p", { class: "rows-note" });
    page.body.append(here, outcome, h("h2", { class: "section-head" }, t("notifications.also")), others, throttle);
    root.replaceChildren(...page.parts);
    let hasEnded = false;
    /** @type {import("../../app/push.js").PushStanding | null} */
    let standing = null;

    async function read() {
        try {
            const [own, all] = await Promise.all([
                push.standingOf(api),
                api.get("/endpoints"),
            ]);
            if (hasEnded) return;
            // The list says more of it.
            standing = { ...own, endpoint: all.data.items.find((/** @type {Endpoint} */ { id }) => id === own.endpoint?.id) ?? own.endpoint };
            showHere();
            showOthers(all.data.items);
        } catch (error) {
            if (hasEnded) return;
            const problem = createProblem({ text: t("common.retry"), press: () => read() });
            problem.show(context.explain(error, "read"));
            others.replaceChildren(h("div", { class: "surface rows-failed" }, problem.element));
            if (!standing) here.replaceChildren();
        }
    }

    function showHere() {
        if (!standing) return;
        const { state, endpoint } = standing;
        if (state === "install") return here.replaceChildren(createSteps(context));
        if (state === "off") return here.replaceChildren(createPromises(context, { on: turnOn }));
        if (state !== "on") {
            return here.replaceChildren(
                createList(createRow({ name: t("notifications.here"), detail: t(`notifications.${state}`), mark: "fault" }).element),
            );
        }
        const toggle = createSwitch({ label: t("notifications.here"), isOn: true, onTurn: turnOff });
        here.replaceChildren(createList(
            createRow({
                name: t("notifications.here"),
                detail: endpoint ? t("notifications.on", { date: format.date(Date.parse(endpoint.registeredAt)) }) : "",
                isOpen: true,
                control: toggle.element,
            }).element,
            ...endpoint ? createChoices(context, endpoint, () => {}) : [],
            createRow({ name: t("notifications.test"), isAction: true, press: () => endpoint && tryTest(endpoint) }).element,
        ));
    }

    /** @param {Endpoint[]} endpoints */
    function showOthers(endpoints) {
        const mine = standing?.state === "on" ? standing.endpoint?.id : undefined;
        others.replaceChildren(createList(
            ...endpoints.filter(({ id }) => id !== mine).map((endpoint) =>
                createRow({
                    name: nameOf(context, endpoint),
                    detail: healthOf(context, endpoint),
                    more: moreOf(context, endpoint),
                    icon: iconOf(endpoint),
                    mark: endpoint.state === "failing" || endpoint.state === "gone" ? "fault" : undefined,
                    press: () => openEndpoint(context, endpoint, { test: sendTest, changed: read }),
                }).element
            ),
            createRow({ name: t("notifications.add"), icon: "plus", isAction: true, press: () => addWay(context, read) }).element,
        ));
    }

    async function turnOn() {
        try {
            const result = await push.turnOn(api);
            if (result === "denied") standing = { state: "denied", endpoint: null };
            if (result !== "dismissed") context.preferences.mark("push-asked", true);
        } catch (error) {
            const isRefused = error instanceof DOMException;
            context.toast({ text: isRefused ? t("notifications.noService") : context.explain(error) });
        }
        await read();
    }

    async function turnOff() {
        try {
            await push.turnOff(api);
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
        await read();
    }

    /** @param {Endpoint} endpoint */
    async function tryTest(endpoint) {
        try {
            await sendTest(endpoint);
        } catch (error) {
            outcome.textContent = context.explain(error);
        }
    }

    /** @param {Endpoint} endpoint */
    async function sendTest(endpoint) {
        const { data } = await api.post("/test-alerts", { endpoint: endpoint.id }, { once: true });
        outcome.textContent = t("notifications.test_sent");
        follow(data.alert).catch((error) => outcome.textContent = context.explain(error));
    }

    /** @param {string} alert */
    async function follow(alert) {
        const began = Date.now();
        while (!hasEnded && Date.now() - began < patience) {
            await new Promise((resolve) => setTimeout(resolve, interval));
            const { data } = await api.get(`/alerts/${alert}`);
            if (data.state === "delivered") {
                const span = (Date.parse(data.acceptedAt) - Date.parse(data.decidedAt)) / 1000;
                outcome.textContent = t("notifications.test_arrived", { span: format.number(Math.max(0, span), 1) });
                return await read();
            }
            if (data.state === "undelivered" || data.state === "cancelled") {
                outcome.textContent = t("notifications.test_failed");
                return await read();
            }
        }
        if (!hasEnded) outcome.textContent = t("notifications.test_waiting");
    }

    const end = effect([store.settings], () => {
        const seconds = store.settings.value?.throttleSeconds;
        throttle.textContent = seconds
            ? t("notifications.throttle", { span: format.duration(seconds * 1000) })
            : t("notifications.throttle_standard");
    });
    read();
    return {
        unmount() {
            hasEnded = true;
            end();
        },
    };
}
