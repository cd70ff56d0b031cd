/** One way to reach the person: how it fares, what mends it, what it took of the last days and what it did not, and what is set of it. */

import * as push from "../../../app/push.js";
import { createButton } from "../../../components/button/button.js";
import { createBlankList, createList, createRow } from "../../../components/list-row/list-row.js";
import { createEmpty, createProblem, createSubPage } from "../../../components/page/page.js";
import { createSwitch } from "../../../components/switch/switch.js";
import { h, setText } from "../../../page/dom.js";
import { lineOf } from "../../../water/test-alert.js";
import { confirms, isBroken, isUsable } from "../../../water/ways.js";
import { partsOf } from "../../../words/endpoint-name.js";
import { isProblem } from "../../../words/problem.js";
import { createChoices, createRemovalRow, createSecretRow } from "../endpoints.js";
import { createFormRow } from "../form.js";
import { followTest, sendTest } from "../following.js";
import { createBars } from "./bars.js";
import { mendOf, mendWords, perform } from "./mending.js";
import { elsewhereOf, standingParts } from "./standing.js";
import { createSendAgain, createUntaken } from "./untaken.js";

/** @typedef {import("../endpoints.js").Endpoint} Endpoint */
/** @typedef {import("./bars.js").Week & {untaken: import("./untaken.js").Untaken[], sendable?: number}} Deliveries */

const list = "/settings/notifications";
/** What becomes of a way is seen so soon while the screen stands. */
const renewal = 60_000;

/**
 * @param {HTMLElement} root
 * @param {import("../../../app/context.js").Context} context
 * @param {Record<string, string>} params
 */
export function mount(root, context, { way: id }) {
    const { t, api, format } = context;
    context.title(t("ways.title"));
    const page = createSubPage(context, { title: t("ways.title"), back: list });
    const problem = createProblem();
    const stale = createProblem({ text: t("common.retry"), press: () => void read() });
    const parts = h("div", null, createBlankList(2));
    const outcome = h("p", { class: "rows-note", role: "status" });
    page.body.append(parts, stale.element, problem.element);
    root.replaceChildren(...page.parts);
    /** The endpoint of this device, once it is known. @type {number | null} */
    let here = null;
    /** @type {{endpoint: Endpoint, deliveries: Deliveries} | null} */
    let known = null;
    let shown = "";
    let hasEnded = false;

    async function read() {
        if (here === null) void findHere();
        try {
            const path = `/endpoints/${encodeURIComponent(id)}`;
            const [endpoint, deliveries] = await Promise.all([api.get(path), api.get(`${path}/deliveries`)]);
            if (hasEnded) return;
            known = { endpoint: endpoint.data, deliveries: deliveries.data };
            stale.show("");
            show();
        } catch (error) {
            if (hasEnded) return;
            // The former state stands, and is not told as what holds now.
            if (known) return stale.show(context.explain(error, "read"));
            if (isProblem(error) && error.status === 404) return parts.replaceChildren(createEmpty(t("ways.unknown"), { text: t("ways.all"), href: list }));
            const again = createProblem({ text: t("common.retry"), press: () => void read() });
            again.show(context.explain(error, "read"));
            parts.replaceChildren(h("div", { class: "surface rows-failed" }, again.element));
        }
    }

    /** What has not changed but for the passing of time stays as it is, and so does the focus. */
    function show() {
        if (!known) return;
        const { endpoint, deliveries } = known;
        const next = JSON.stringify([endpoint, deliveries.untaken, deliveries.sendable, deliveries.periods.map(({ taken, untaken }) => [taken, untaken]), here]);
        if (next === shown) return;
        shown = next;
        const { name, kind } = partsOf(context, endpoint, isHere());
        context.title(name);
        setText(page.heading, name);
        page.setSubtitle(kind);
        const { untaken } = deliveries;
        // The control that was pressed is made anew in its place.
        const controls = () => /** @type {HTMLElement[]} */ ([...parts.querySelectorAll("button, a")]);
        const focused = controls().indexOf(/** @type {HTMLElement} */ (document.activeElement));
        parts.replaceChildren(
            h("section", { class: "way-standing surface" }, ...standingParts(context, endpoint, untaken), createActions(endpoint)),
            outcome,
            h("h2", { class: "section-head" }, t("ways.week")),
            createBars(context, deliveries),
            ...untaken.length === 0 ? [] : createUntaken(context, untaken),
            createSendAgain(context, deliveries.sendable ?? 0, () => attempt(sendAgain)),
            ...untaken.length === 0 || isBroken(endpoint) ? [] : [h("p", { class: "rows-note" }, elsewhereOf(context, untaken))],
            h("div", { class: "way-rows" }, createList(...rowsOf(endpoint, name))),
            ...notesOf(endpoint).map((text) => h("p", { class: "rows-note" }, text)),
        );
        if (focused >= 0) controls()[focused]?.focus({ preventScroll: true });
    }

    const isHere = () => known?.endpoint.id === here;

    /** @param {Endpoint} endpoint */
    function createActions(endpoint) {
        const mend = mendOf(endpoint, isHere());
        const buttons = [
            mend && createButton({ text: t(mendWords[mend]), kind: "primary", press: () => attempt(() => perform(context, endpoint, mend, read)) }),
            isUsable(endpoint) && createButton({
                text: t("ways.test"),
                busyText: t("ways.testing"),
                kind: mend || !isBroken(endpoint) ? "quiet" : "primary",
                press: () => attempt(() => test(endpoint)),
            }),
        ];
        const made = buttons.flatMap((button) => button ? [button.element] : []);
        return made.length === 0 ? null : h("div", { class: "way-actions" }, ...made);
    }

    /**
     * The settings of a way, a row each; the last row ends it.
     * @param {Endpoint} endpoint
     * @param {string} name
     */
    function rowsOf(endpoint, name) {
        const act = { perform: attempt, changed: read };
        return [
            isHere() ? createHere() : null,
            ...createChoices(context, endpoint, read),
            createFormRow(context, endpoint, act),
            // Where that is what mends it there is a button already.
            mendOf(endpoint, isHere()) === "secret" ? null : createSecretRow(context, endpoint, act),
            isHere() ? null : createRemovalRow(context, endpoint, { ...act, name, removed: leave }),
        ];
    }

    /** This device is turned off instead of being removed. */
    function createHere() {
        const toggle = createSwitch({
            label: t("notifications.here"),
            isOn: true,
            onTurn: () => attempt(async () => {
                await push.turnOff(api);
                leave();
            }),
        });
        return createRow({ name: t("notifications.here"), isOpen: true, control: toggle.element }).element;
    }

    /** @param {Endpoint} endpoint */
    function notesOf({ channel, registeredAt }) {
        return [
            ...channel === "webhook" ? [t("notifications.always_webhook")] : [],
            t("notifications.since", { date: format.date(Date.parse(registeredAt)) }),
        ];
    }

    function leave() {
        if (!hasEnded) void context.navigate(list, { replace: true });
    }

    /** @param {() => Promise<void>} action */
    async function attempt(action) {
        problem.show("");
        try {
            await action();
        } catch (error) {
            if (!hasEnded) problem.show(error instanceof DOMException ? t("notifications.noService") : context.explain(error));
        }
    }

    async function sendAgain() {
        const { data } = await api.post(`/endpoints/${encodeURIComponent(id)}/deliveries`, {});
        if (hasEnded) return;
        setText(outcome, data.sent > 0 ? t("ways.sent_again", { count: data.sent }) : t("ways.sent_again_none"));
        await read();
    }

    /** @param {Endpoint} endpoint */
    async function test(endpoint) {
        const alert = await sendTest(api, endpoint.id);
        setText(outcome, t("notifications.test_sent"));
        const browsers = new Set(confirms(endpoint.channel) ? [endpoint.id] : []);
        const isTold = await followTest(api, alert, { tell: (told) => setText(outcome, testText(endpoint, told)), hasEnded: () => hasEnded, browsers });
        if (hasEnded) return;
        if (!isTold) setText(outcome, t("notifications.test_waiting"));
        await read();
    }

    /**
     * @param {Endpoint} endpoint
     * @param {import("../../../water/test-alert.js").TestAlert} told
     */
    function testText(endpoint, told) {
        const delivery = told.deliveries.find((one) => one.endpoint === endpoint.id);
        if (!delivery) return t(told.state === "decided" ? "notifications.test_sent" : "notifications.test_failed");
        const { outcome, after, status } = lineOf(told, delivery);
        if (outcome === "pending") return t("notifications.test_sent");
        if (outcome === "unsent") return t("notifications.test_failed");
        return t(`notifications.test_${outcome}`, { span: format.number((after ?? 0) / 1000, 1), status: status ?? "" });
    }

    /** Whether it is this device; looked for again with each reading until that is known. */
    async function findHere() {
        try {
            const { state, endpoint } = await push.standingOf(api);
            if (hasEnded || state !== "on") return;
            here = endpoint?.id ?? null;
            show();
        } catch {
            // The reading beside it says what is wrong.
        }
    }

    void read();
    const timer = setInterval(() => void read(), renewal);
    return {
        unmount() {
            hasEnded = true;
            clearInterval(timer);
        },
    };
}
