/** Tanks on a plan of theirs: which plan it is, and what leads to its arrangement. */

import { plansOf as plansKnownTo } from "../../../../app/plans.js";
import { createEmpty } from "../../../../components/page/page.js";
import { createPlaceMarks } from "../../../../components/place-marks/place-marks.js";
import { createSitePlan } from "../../../../components/site-plan/site-plan.js";
import { h, set } from "../../../../page/dom.js";
import { createSlot } from "../../../../page/slot.js";
import { mayPlanFor, mostPlans, plansOf } from "../../../../water/plans.js";
import { makePlan } from "../plan/making.js";

/** @typedef {import("../../../../water/plans.js").PlacedPlan} PlacedPlan */
/** @typedef {import("../../../../components/tile/tile.js").TileModel} TileModel */

/**
 * @param {import("../../../../app/context.js").Context} context
 * @param {import("./places.js").Parts} parts
 * @returns {import("./places.js").Drawing}
 */
export function createDrawing(context, { view, open, changed }) {
    const { t, store } = context;
    const plans = plansKnownTo(context);
    const acting = context.acting;
    const marks = createPlaceMarks(context, { href: () => "/", open });
    const site = createSitePlan(context, { above: marks.element, pictureOf: plans.picture, onSize: draw });
    const choice = createSlot(h("div", { class: "tanks-chips", role: "group", "aria-label": t("plans.which") }));
    const arrange = h("a", { class: "chip chip-small" }, t("plans.arrange"));
    const add = h("button", { class: "chip chip-small", type: "button", "aria-haspopup": "dialog", onclick: () => makePlan(context, plans) }, t("plans.add"));
    const bar = h("div", { class: "tanks-plans" }, choice.element, h("div", { class: "tanks-chips" }, arrange, add));
    const empty = createEmpty(t("plans.none"));
    const trouble = h("p", { class: "rows-note", role: "status", hidden: true });
    const element = h("div", { class: "tanks-plan" }, bar, trouble, empty, site.element);
    /** @type {readonly TileModel[]} */
    let models = [];
    /** The plan that is shown, once its tanks are known. @type {PlacedPlan | null} */
    let placed = null;
    /** Which one is read, in which version. */
    let wanted = "";
    let isGone = false;
    /** @type {readonly import("../../../../components/place-marks/place-marks.js").Mark[]} */
    let standing = [];

    function draw() {
        const { width, height } = site.size();
        const known = new Map(placed?.places.map((place) => [place.device, place]));
        standing = models.flatMap((model) => {
            const place = known.get(model.id);
            return place ? [{ ...model, x: place.x / 1_000 * width, y: place.y / 1_000 * height }] : [];
        });
        marks.update(standing, { width, height });
    }

    /** @param {string} id */
    async function read(id) {
        try {
            const found = await plans.placed(id);
            if (isGone || view.plan !== id) return;
            placed = found;
            set(trouble, "hidden", true);
        } catch (error) {
            if (isGone || view.plan !== id) return;
            placed = null;
            trouble.textContent = context.explain(error, "read");
            set(trouble, "hidden", false);
        }
        changed();
    }

    const end = plans.listed.subscribe(() => changed());
    void plans.read();
    return {
        element,
        update(next) {
            models = next;
            const { told, trouble: why } = plans.listed.value;
            const seen = plansOf(told ?? [], view.group, acting?.id ?? null);
            const plan = seen.find(({ id }) => id === view.plan) ?? seen[0] ?? null;
            if (plan && view.plan !== plan.id) view.plan = plan.id;
            const owners = mayPlanFor(store.devices.value ?? [], acting).filter(({ project }) => (told ?? []).filter((one) => one.project === project).length < mostPlans);
            set(empty, "hidden", told === null || plan !== null);
            set(site.element, "hidden", plan === null);
            set(arrange, "hidden", !plan?.mayChange);
            if (plan) set(arrange, "href", `/tanks/plans/${encodeURIComponent(plan.id)}`);
            add.hidden = told === null || owners.length === 0;
            if (told === null && why) {
                trouble.textContent = context.explain(why, "read");
                set(trouble, "hidden", false);
            }
            choice.update([view.plan, JSON.stringify(seen.map(({ id, name }) => [id, name]))], () => seen.length < 2 ? [] : seen.map(({ id, name }) => {
                const chip = h("button", {
                    class: "chip chip-small",
                    type: "button",
                    "aria-pressed": String(id === view.plan),
                    onclick() {
                        view.plan = id;
                        changed();
                    },
                }, name);
                set(chip, "data-on", id === view.plan);
                return chip;
            }));
            if (!plan) {
                placed = null;
                wanted = "";
                return told === null ? null : new Set();
            }
            const key = `${plan.id} ${plan.version}`;
            if (placed?.id !== plan.id) placed = null;
            if (key !== wanted && placed?.version !== plan.version) {
                wanted = key;
                void read(plan.id);
            }
            site.show(placed ?? plan);
            draw();
            return placed ? new Set(standing.map(({ id }) => id)) : null;
        },
        remove() {
            isGone = true;
            end();
            site.remove();
        },
    };
}
