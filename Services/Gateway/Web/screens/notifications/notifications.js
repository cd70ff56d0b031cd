/** The ways that reach the person: whether they work, each with its last proof, and another one. */

import * as push from "../../app/push.js";
import { createBlankList, createList, createRow } from "../../components/list-row/list-row.js";
import { createPromises, createSteps } from "../../components/offer/promises.js";
import { createBack, createProblem, createTabPage } from "../../components/page/page.js";
import { h, set, setText } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { isBroken, isUsable, judge, standingOf } from "../../water/ways.js";
import { iconOf, partsOf } from "../../words/endpoint-name.js";
import { moreOf, proofOf, shapeOf } from "./endpoints.js";
import { sendTest } from "./following.js";
import { headlineOf, leadOf } from "./judging.js";
import { addWay } from "./ways.js";

/** @typedef {import("./endpoints.js").Endpoint} Endpoint */

/** What becomes of a way is seen so soon while the screen stands. */
const renewal = 60_000;

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, api, store, format } = context;
    context.title(t("notifications.title"));
    const page = createTabPage({ title: t("notifications.title"), top: createBack(context, "/settings") });
    const here = h("div", { class: "ways-here" });
    const ways = h("div", { class: "ways", "aria-live": "polite" }, createBlankList(3));
    const note = h("p", { class: "rows-note", hidden: true }, t("ways.note_none"));
    const throttle = h("p", { class: "rows-note" });
    const stale = createProblem({ text: t("common.retry"), press: () => void read() });
    page.body.append(here, ways, stale.element, note, throttle);
    root.replaceChildren(...page.parts);
    let hasEnded = false;
    /** @type {import("../../app/push.js").PushStanding | null} */
    let standing = null;
    /** @type {Endpoint[] | null} */
    let known = null;
    let shown = "";

    async function read() {
        try {
            const [own, all] = await Promise.all([push.standingOf(api), api.get("/endpoints")]);
            if (hasEnded) return;
            [standing, known] = [own, all.data.items];
            stale.show("");
            show(own, all.data.items);
        } catch (error) {
            if (hasEnded) return;
            // The former state stands, and is not told as what holds now.
            if (known) return stale.show(context.explain(error, "read"));
            const problem = createProblem({ text: t("common.retry"), press: () => read() });
            problem.show(context.explain(error, "read"));
            ways.replaceChildren(h("div", { class: "surface rows-failed" }, problem.element));
        }
    }

    /** @param {Endpoint} endpoint */
    const isHere = ({ id }) => standing?.state === "on" && standing.endpoint?.id === id;

    /**
     * Shows the ways. A list that has not changed stays as it is, and so does the focus.
     * @param {import("../../app/push.js").PushStanding} own
     * @param {Endpoint[]} endpoints
     */
    function show(own, endpoints) {
        const next = JSON.stringify([own.state, own.endpoint?.id, endpoints]);
        if (next === shown) return;
        shown = next;
        const judgement = judge(endpoints);
        const isLost = judgement.kind === "none" || judgement.kind === "nothing";
        setText(page.headline, headlineOf(context, judgement));
        setText(page.lead, leadOf(context, judgement, { count: endpoints.length, nameOf: (endpoint) => partsOf(context, endpoint, isHere(endpoint)).name }));
        showHere(own);
        // Where nothing reaches the person this device comes first.
        if (isLost) ways.before(here);
        else ways.after(here);
        set(note, "hidden", !isLost);
        showWays(endpoints);
    }

    /** @param {import("../../app/push.js").PushStanding} own */
    function showHere({ state }) {
        if (state === "on") return here.replaceChildren();
        if (state === "install") return here.replaceChildren(createSteps(context));
        if (state === "off") return here.replaceChildren(createPromises(context, { on: turnOn }));
        here.replaceChildren(createList(createRow({ name: t("notifications.here"), detail: t(`notifications.${state}`), mark: "fault" }).element));
    }

    /** @param {Endpoint[]} endpoints */
    function showWays(endpoints) {
        const ordered = [...endpoints].sort((one, other) => Number(isHere(other)) - Number(isHere(one)));
        const isNever = (/** @type {Endpoint} */ endpoint) => standingOf(endpoint) === "untested";
        const usable = endpoints.filter(isUsable).length;
        ways.replaceChildren(
            ...section("needs_hand", ordered.filter(isBroken)),
            ...section("account", ordered.filter((endpoint) => !isBroken(endpoint) && !isNever(endpoint))),
            ...section("never", ordered.filter(isNever)),
            h("div", { class: "ways-more" }, createList(
                createRow({ name: t("notifications.add"), icon: "plus", isAction: true, press: () => addWay(context, read) }).element,
                usable > 0 && createRow({ name: t("ways.test_all", { count: usable }), icon: "alerts", isAction: true, press: testAll }).element,
            )),
        );
    }

    /**
     * @param {'needs_hand' | 'account' | 'never'} name
     * @param {Endpoint[]} endpoints
     */
    function section(name, endpoints) {
        if (endpoints.length === 0) return [];
        return [h("h2", { class: "section-head" }, t(`ways.${name}`)), createList(...endpoints.map(rowOf))];
    }

    /** @param {Endpoint} endpoint */
    function rowOf(endpoint) {
        const { name, kind } = partsOf(context, endpoint, isHere(endpoint));
        return createRow({
            name,
            detail: `${kind} · ${proofOf(context, endpoint)}`,
            more: moreOf(context, endpoint),
            icon: iconOf(endpoint),
            mark: shapeOf(endpoint),
            href: `/settings/notifications/${endpoint.id}`,
        }).element;
    }

    async function turnOn() {
        try {
            const result = await push.turnOn(api);
            if (result !== "dismissed") context.preferences.mark("push-asked", true);
        } catch (error) {
            context.toast({ text: error instanceof DOMException ? t("notifications.noService") : context.explain(error) });
        }
        await read();
    }

    async function testAll() {
        try {
            await context.navigate(`/settings/notifications/tests/${await sendTest(api)}`);
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
    }

    const end = effect([store.settings], () => {
        const seconds = store.settings.value?.throttleSeconds;
        throttle.textContent = seconds
            ? t("notifications.throttle", { span: format.duration(seconds * 1000) })
            : t("notifications.throttle_standard");
    });
    void read();
    const timer = setInterval(() => void read(), renewal);
    return {
        unmount() {
            hasEnded = true;
            clearInterval(timer);
            end();
        },
    };
}
