/** A plan: its picture or a blank grid, as large as there is room, to be looked at more closely; what stands on it lies above. */

import { draw } from "../../page/photo.js";
import { h, set, setText } from "../../page/dom.js";
import { ratioOf } from "../../water/plans.js";
import { createSymbol } from "../symbol/symbol.js";

/** @typedef {import("../../water/plans.js").Plan} Plan */

/** How much larger than the window. */
const levels = [1, 1.5, 2, 3, 4];
/** So long a picture that did not come is not asked for again, in milliseconds. */
const patience = 30_000;
/** No higher than so much of the screen. */
const highest = 0.68;

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} parts
 * @param {Element} parts.above What stands on it.
 * @param {(plan: Plan) => Promise<Blob>} parts.pictureOf
 * @param {(size: {width: number, height: number}) => void} parts.onSize It has another size, or shows another plan.
 */
export function createSitePlan({ t }, { above, pictureOf, onSize }) {
    const canvas = h("canvas", { class: "site-plan-picture", hidden: true, "aria-hidden": "true" });
    const stage = h("div", { class: "site-plan-stage" }, canvas, above);
    const window = h("div", { class: "site-plan-window", role: "group", tabindex: "0" }, stage);
    const closer = h("button", { class: "map-button", type: "button", "aria-label": t("devices.map_closer"), onclick: () => zoom(1) }, createSymbol("plus"));
    const wider = h("button", { class: "map-button", type: "button", "aria-label": t("devices.map_wider"), onclick: () => zoom(-1) }, createSymbol("minus"));
    const message = h("p", { class: "site-plan-message small quiet", role: "status", hidden: true });
    const element = h("div", { class: "site-plan" }, window, h("div", { class: "map-buttons" }, closer, wider), message);
    /** @type {Plan | null} */
    let plan = null;
    let drawn = "";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let again;
    let level = 0;
    let size = { width: 0, height: 0 };
    const observer = new ResizeObserver(() => fit());
    observer.observe(element);

    /** As large as there is room. */
    function fit() {
        if (!plan || element.clientWidth === 0) return;
        const ratio = ratioOf(plan);
        const room = { width: element.clientWidth, height: Math.max(160, innerHeight * highest) };
        const width = Math.min(room.width, room.height * ratio);
        const next = { width: width * levels[level], height: width / ratio * levels[level] };
        window.style.height = `${Math.round(width / ratio)}px`;
        stage.style.width = `${Math.round(next.width)}px`;
        stage.style.height = `${Math.round(next.height)}px`;
        size = next;
        set(closer, "disabled", level === levels.length - 1);
        set(wider, "disabled", level === 0);
        onSize(size);
    }

    /**
     * The middle of the view stays there.
     * @param {1 | -1} by
     */
    function zoom(by) {
        const [x, y] = [(window.scrollLeft + window.clientWidth / 2) / size.width, (window.scrollTop + window.clientHeight / 2) / size.height];
        level = Math.min(levels.length - 1, Math.max(0, level + by));
        fit();
        window.scrollTo(x * size.width - window.clientWidth / 2, y * size.height - window.clientHeight / 2);
    }

    /** @param {Plan} shown */
    async function drawPicture(shown) {
        const key = `${shown.id} ${shown.picture?.tag ?? ""}`;
        if (key === drawn) return;
        drawn = key;
        set(canvas, "hidden", true);
        set(stage, "data-blank", shown.picture === null);
        set(message, "hidden", shown.picture === null);
        if (shown.picture === null) return;
        setText(message, t("plans.picture_coming"));
        const isDrawn = await pictureOf(shown).then((blob) => draw(canvas, blob)).catch(() => false);
        if (key !== drawn) return;
        set(canvas, "hidden", !isDrawn);
        set(stage, "data-blank", !isDrawn);
        set(message, "hidden", isDrawn);
        setText(message, isDrawn ? "" : t("plans.picture_away"));
        // Asked for again when it is shown later; each reading shows it anew, which is too often.
        clearTimeout(again);
        if (isDrawn) return;
        again = setTimeout(() => {
            if (key === drawn) drawn = "";
        }, patience);
    }

    return {
        element,
        stage,
        size: () => size,
        /** @param {Plan} next */
        show(next) {
            const isOther = plan?.id !== next.id;
            plan = next;
            if (isOther) level = 0;
            set(window, "aria-label", next.name);
            void drawPicture(next);
            fit();
        },
        remove() {
            clearTimeout(again);
            observer.disconnect();
        },
    };
}
