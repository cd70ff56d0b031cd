/** If nobody answers: who is told of an alarm one after the other, and who answered the last one. Changes hold at once. */

import { chainsOf } from "../../app/chains.js";
import * as push from "../../app/push.js";
import { createButton } from "../../components/button/button.js";
import { createBlankList, createList, createRow } from "../../components/list-row/list-row.js";
import { createProblem, createSubPage } from "../../components/page/page.js";
import { h, set, setText } from "../../page/dom.js";
import { createKeyed } from "../../page/keyed.js";
import { effect } from "../../page/signals.js";
import { createSlot } from "../../page/slot.js";
import { initialOf } from "../../water/answers.js";
import { detailOf, discOf, isBroken, keyOf, lastOf, mostSteps, nameOfStep, toldAtOnce } from "../../water/chain.js";
import { shortNameOf } from "../../words/endpoint-name.js";
import { isProblem } from "../../words/problem.js";
import { listed } from "../../words/sentence.js";
import { minute } from "../../words/time.js";
import { openAdding } from "./adding.js";
import { openRehearsal } from "./rehearsal.js";
import { openStep } from "./step.js";
import { createStepRow } from "./step-row.js";

/** @typedef {import("../../water/chain.js").Step} Step */
/** @typedef {import("./step-row.js").StepModel} StepModel */

/** Quiet hours of others begin and end by the passing of time alone: the chain is read again so often. */
const renewal = 60_000;

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 * @param {Record<string, string>} params
 */
export function mount(root, context, { device: id }) {
    const { t, store, format, api } = context;
    const { of: chainOf, ways } = chainsOf(context);
    const chain = chainOf(id);
    context.title(t("chain.title"));
    const page = createSubPage(context, { title: t("chain.title"), back: `/devices/${encodeURIComponent(id)}` });
    const problem = createProblem({ text: t("common.retry"), press: () => void chain.read() });
    const age = h("p", { class: "chain-age small quiet", hidden: true });
    const blank = createBlankList(3);
    const steps = h("ol", { class: "chain surface" });
    const updateSteps = createKeyed(steps, (/** @type {StepModel} */ { key }) => key, createStepRow);
    const add = createList(createRow({ name: t("chain.add"), icon: "plus", isAction: true, press: () => openAdding(context, { id, here, open: (step) => open(step, true) }) }).element);
    const full = h("p", { class: "rows-note" }, t("chain.full", { count: mostSteps }));
    const last = createSlot(h("div"));
    const rehearse = createButton({ text: t("chain.rehearse"), press: () => openRehearsal(context, { id, you: yourWays }) });
    const parts = h(
        "div",
        { hidden: true },
        steps,
        h("div", { class: "chain-gap" }),
        add,
        full,
        h("p", { class: "rows-note" }, t("chain.note")),
        last.element,
        h("div", { class: "chain-rehearse" }, rehearse.element),
    );
    page.body.append(problem.element, age, blank, parts);
    root.replaceChildren(...page.parts);
    /** The endpoint of this device, which people know as that. @type {number | null} */
    let here = null;
    let hasEnded = false;

    /**
     * The endpoints that are told at once, in words.
     * @returns {{text: string, isNone: boolean, isAll: boolean}}
     */
    function yourWays() {
        const told = chain.known.value.told;
        const known = ways.known.value;
        if (told === null || known === null) return { text: "", isNone: false, isAll: false };
        const { ways: own, isAll } = toldAtOnce(told.steps, known);
        if (own.length === 0) return { text: t("chain.you_none"), isNone: true, isAll };
        const names = listed(context, [...new Set(own.map((way) => way.id === here ? t("chain.here") : shortNameOf(context, way)))]);
        return { text: isAll ? t("chain.you_all", { ways: names }) : names, isNone: false, isAll };
    }

    /** @returns {StepModel} */
    function yourRow() {
        const { text, isNone } = yourWays();
        return {
            key: "you",
            after: t("chain.atOnce"),
            disc: { initial: initialOf(store.account.value?.name ?? t("chain.you")), icon: null },
            name: t("chain.you"),
            detail: text,
            isBroken: isNone,
            press: isNone ? () => void context.navigate("/settings/notifications") : undefined,
        };
    }

    /**
     * @param {Step} step
     * @returns {StepModel}
     */
    function rowOf(step) {
        const key = keyOf(step);
        return {
            key,
            after: format.duration(step.after * minute),
            disc: discOf(step, ways.known.value),
            name: step.endpoint !== null && step.endpoint === here ? t("chain.here_name") : nameOfStep(context, step, ways.known.value),
            detail: detailOf(context, step, yourWays().isAll),
            isBroken: isBroken(step.outlook),
            press: () => open(step, false),
        };
    }

    /**
     * @param {Step} step
     * @param {boolean} isNew
     */
    function open(step, isNew) {
        openStep(context, { id, step, isNew, save });
    }

    /** @param {readonly Step[]} next */
    async function save(next) {
        try {
            await chain.change(next);
        } catch (error) {
            const isOther = isProblem(error) && error.status === 412;
            if (isOther) await chain.read();
            context.toast({ text: isOther ? t("common.changedElsewhere") : context.explain(error) });
        }
    }

    function show() {
        const { told, seenAt, isOld, trouble } = chain.known.value;
        const now = Date.now();
        page.setSubtitle(store.deviceOf(id)?.name ?? "");
        // The notice dates what an old answer shows; a problem is told only where there is nothing to show.
        problem.show(trouble === null || (isOld && !isProblem(trouble)) ? "" : context.explain(trouble, "read"));
        set(blank, "hidden", told !== null || trouble !== null);
        set(age, "hidden", !isOld);
        setText(age, isOld ? t("devices.old", { at: format.at(seenAt, now) }) : "");
        set(parts, "hidden", told === null);
        if (told === null) return;
        updateSteps([yourRow(), ...told.steps.map(rowOf)]);
        const isFull = told.steps.length >= mostSteps;
        set(add, "hidden", isFull);
        set(full, "hidden", !isFull);
        last.update([JSON.stringify(told.last)], () => {
            if (!told.last) return [];
            const { who, what } = lastOf(context, told.last, now);
            return [h("h2", { class: "section-head" }, t("chain.last")), createList(createRow({ name: who, detail: what, icon: "person" }).element)];
        });
    }

    /** A chain that could not be read is read once there is a connection. */
    function follow() {
        const { state } = store.connection.value;
        if (state !== "offline" && state !== "noAnswer" && chain.known.value.isOld) void chain.read();
    }

    push.standingOf(api).then(({ state, endpoint }) => {
        if (hasEnded || state !== "on") return;
        here = endpoint?.id ?? null;
        show();
    }, () => {});
    const end = effect([chain.known, ways.known, store.devices, store.account], show);
    const endNews = effect([store.alertNews, store.callNews, store.settings], () => void chain.read());
    const endWays = effect([store.callNews], () => void ways.read());
    const endConnection = store.connection.subscribe(follow);
    const timer = setInterval(() => {
        if (!document.hidden) void chain.read();
    }, renewal);
    return {
        unmount() {
            hasEnded = true;
            end();
            endNews();
            endWays();
            endConnection();
            clearInterval(timer);
        },
    };
}
