/** The arrangement of a plan: a tank is chosen from the list and stands where the plan is touched; it is dragged, or moved by the arrows. */

import { plansOf } from "../../../../app/plans.js";
import { createButton } from "../../../../components/button/button.js";
import { createList, createRow } from "../../../../components/list-row/list-row.js";
import { createProblem, createSubPage } from "../../../../components/page/page.js";
import { createSitePlan } from "../../../../components/site-plan/site-plan.js";
import { h, set, setText } from "../../../../page/dom.js";
import { createSlot } from "../../../../page/slot.js";
import { effect } from "../../../../page/signals.js";
import { isArrangedAs, mayStandOn, put, takenOff } from "../../../../water/plans.js";
import { ChangedElsewhere, isProblem } from "../../../../words/problem.js";
import { createArrangement } from "./arrangement.js";
import { deedsOf } from "./deeds.js";

/** @typedef {import("../../../../water/plans.js").PlacedPlan} PlacedPlan */
/** @typedef {import("../../../../water/plans.js").Place} Place */

/**
 * @param {HTMLElement} root
 * @param {import("../../../../app/context.js").Context} context
 * @param {Record<string, string>} params
 */
export function mount(root, context, { plan: id }) {
    const { t, store } = context;
    const plans = plansOf(context);
    const page = createSubPage(context, { title: t("plans.title"), back: "/tanks" });
    const problem = createProblem({ text: t("common.retry"), press: () => void read() });
    const help = h("p", { class: "plan-help quiet" });
    const arrangement = createArrangement(context, { choose, move, takeOff });
    const site = createSitePlan(context, { above: arrangement.element, pictureOf: plans.picture, onSize: (size) => arrangement.resize(size) });
    const off = createButton({ text: t("plans.take_off"), kind: "outlined", press: () => chosen === null ? undefined : takeOff(chosen) });
    // For whoever has no finger to touch the plan with: from the middle the arrows lead on.
    const middle = createButton({ text: t("plans.middle"), kind: "outlined", press: () => move(null, { x: 500, y: 500 }) });
    const save = createButton({ text: t("common.save"), busyText: t("common.saving"), kind: "primary", press: keep });
    const foot = h("div", { class: "buttons plan-foot" }, save.element, middle.element, off.element);
    const waiting = createSlot(h("div"));
    const deeds = createSlot(h("div"));
    const news = h("p", { class: "visually-hidden", role: "status" });
    const body = h("div", { hidden: true }, help, site.element, foot, waiting.element, deeds.element);
    page.body.append(news, problem.element, body);
    root.replaceChildren(...page.parts);
    context.title(t("plans.title"));

    /** As the service knows it. @type {PlacedPlan | null} */
    let plan = null;
    /** As it is arranged here. @type {readonly Place[]} */
    let places = [];
    /** @type {string | null} */
    let chosen = null;
    let isGone = false;

    const isChanged = () => plan !== null && !isArrangedAs(places, plan.places);

    async function read() {
        problem.show("");
        try {
            take(await plans.placed(id));
        } catch (error) {
            if (!isGone) problem.show(context.explain(error, "read"));
        }
    }

    /** @param {PlacedPlan} next */
    function take(next) {
        if (isGone) return;
        // Places that were not saved stay through a change of the name or the picture, and give way to what somebody else arranged.
        if (plan === null || !isChanged() || !isArrangedAs(plan.places, next.places)) places = next.places;
        plan = next;
        update();
    }

    /** @param {string | null} device */
    function choose(device) {
        chosen = device === chosen ? null : device;
        update();
    }

    /**
     * @param {string | null} device null: the one that is chosen.
     * @param {{x: number, y: number}} at In thousandths.
     */
    function move(device, at) {
        const moved = device ?? chosen;
        if (moved === null || !plan?.mayChange) return;
        const isNew = places.every((place) => place.device !== moved);
        places = put(places, moved, at);
        chosen = moved;
        if (isNew) setText(news, t("plans.placed", { name: nameOf(moved) }));
        update();
        if (isNew) arrangement.focus(moved);
    }

    /** @param {string} device */
    function takeOff(device) {
        if (!plan?.mayChange) return;
        places = takenOff(places, device);
        chosen = null;
        setText(news, t("plans.taken_off", { name: nameOf(device) }));
        update();
        save.element.focus();
    }

    /** @param {string} device */
    const nameOf = (device) => store.deviceOf(device)?.name ?? device;

    async function keep() {
        if (!plan || !isChanged()) return;
        const sent = places;
        try {
            const saved = await plans.place(plan, sent);
            plan = saved;
            if (isArrangedAs(places, sent)) places = saved.places;
            context.toast({ text: t("plans.saved") });
        } catch (error) {
            // The plan was arranged by somebody else meanwhile: theirs is shown, and nothing of theirs is lost.
            const isOld = isProblem(error) && error.status === 412;
            if (isOld) {
                plan = null;
                await read();
            }
            context.toast({ text: context.explain(isOld ? new ChangedElsewhere() : error) });
        }
        if (!isGone) update();
    }

    function update() {
        if (!plan || isGone) return;
        const devices = mayStandOn(store.devices.value ?? [], plan, context.acting?.id ?? null);
        const known = new Set(devices.map(({ id }) => id));
        const standing = new Set(places.map(({ device }) => device));
        const rest = devices.filter(({ id }) => !standing.has(id));
        const mayChange = plan.mayChange;
        setText(page.heading, plan.name);
        context.title(plan.name);
        body.hidden = false;
        setText(help, t(!mayChange ? "plans.only_seen" : chosen === null ? "plans.help" : standing.has(chosen) ? "plans.help_move" : "plans.help_place", { name: chosen === null ? "" : nameOf(chosen) }));
        site.show(plan);
        arrangement.update(places.filter(({ device }) => known.has(device)).map((place) => ({ ...place, name: nameOf(place.device), isChosen: place.device === chosen })), mayChange, chosen !== null && !standing.has(chosen));
        set(foot, "hidden", !mayChange);
        set(middle.element, "hidden", chosen === null || standing.has(chosen));
        set(off.element, "hidden", chosen === null || !standing.has(chosen));
        set(save.element, "disabled", !isChanged());
        waiting.update([chosen, mayChange, JSON.stringify(rest.map(({ id, name }) => [id, name]))], () => {
            if (rest.length === 0) return [];
            const rows = rest.map(({ id, name }) => {
                const row = createRow({ name, icon: mayChange ? "pin" : undefined, isAction: true, press: mayChange ? () => choose(id) : undefined });
                set(row.inside, "aria-pressed", mayChange ? String(id === chosen) : null);
                set(row.inside, "data-chosen", id === chosen);
                return row.element;
            });
            return [h("h2", { class: "section-head" }, t("plans.waiting", { count: rest.length })), createList(...rows)];
        });
        deeds.update([plan], () => plan?.mayChange ? deedsOf(context, plans, plan, take) : []);
    }

    /** @param {BeforeUnloadEvent} event */
    function ask(event) {
        if (isChanged()) event.preventDefault();
    }

    addEventListener("beforeunload", ask);
    const end = effect([store.devices], update);
    void read();
    return {
        unmount() {
            if (plan && isChanged()) {
                const [left, kept] = [plan, places];
                const action = { text: t("common.save"), press: () => void plans.place(left, kept).catch((error) => context.toast({ text: context.explain(error) })) };
                context.toast({ text: t("plans.unsaved"), action });
            }
            isGone = true;
            removeEventListener("beforeunload", ask);
            end();
            site.remove();
        },
    };
}
