/** Tanks on a plan while they are arranged: each is chosen, dragged, moved by the arrows and taken off. */

import { h, set } from "../../../../page/dom.js";
import { createKeyed } from "../../../../page/keyed.js";

/** @typedef {{device: string, name: string, x: number, y: number, isChosen: boolean}} Arranged In thousandths. */
/** @typedef {{x: number, y: number}} Point */

/** What one press of an arrow moves, in thousandths; with the shift key more. */
const step = 5;
const leap = 50;
/** Fingers that move less press. */
const least = 4;
/** @type {Readonly<Record<string, [right: number, down: number]>>} */
const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * @param {import("../../../../app/context.js").Context} context
 * @param {object} parts
 * @param {(device: string | null) => void} parts.choose
 * @param {(device: string | null, at: Point) => void} parts.move null: the one that is chosen.
 * @param {(device: string) => void} parts.takeOff
 */
export function createArrangement({ t, format }, { choose, move, takeOff }) {
    const list = h("ul", { class: "place-marks plan-marks" });
    const element = h("div", { class: "plan-ground" }, list);
    let size = { width: 0, height: 0 };
    let mayChange = false;
    /** @type {Map<string, HTMLButtonElement>} */
    const buttons = new Map();
    const update = createKeyed(list, (/** @type {Arranged} */ { device }) => device, createMark);

    // Where the plan itself is touched, the tank that is chosen comes to stand.
    element.addEventListener("click", (event) => {
        if (mayChange && event.target === element) move(null, pointOf(event));
    });

    /**
     * A place of the plan, in thousandths.
     * @param {MouseEvent} event
     * @returns {Point}
     */
    function pointOf({ clientX, clientY }) {
        const box = element.getBoundingClientRect();
        return { x: (clientX - box.left) / box.width * 1_000, y: (clientY - box.top) / box.height * 1_000 };
    }

    /** @param {Arranged} first */
    function createMark({ device }) {
        let at = { x: 0, y: 0 };
        /** Where it was taken hold of. @type {{at: Point, client: Point} | null} */
        let held = null;
        let wasDragged = false;
        const button = h("button", { class: "place-mark", type: "button" });
        const mark = h("li", null, button);
        buttons.set(device, button);

        button.addEventListener("pointerdown", (event) => {
            if (!mayChange || event.button !== 0) return;
            held = { at, client: { x: event.clientX, y: event.clientY } };
            wasDragged = false;
            button.setPointerCapture(event.pointerId);
        });
        button.addEventListener("pointermove", (event) => {
            if (!held || size.width === 0) return;
            const [x, y] = [event.clientX - held.client.x, event.clientY - held.client.y];
            if (!wasDragged && Math.hypot(x, y) < least) return;
            wasDragged = true;
            move(device, { x: held.at.x + x / size.width * 1_000, y: held.at.y + y / size.height * 1_000 });
        });
        for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) button.addEventListener(name, () => held = null);
        button.addEventListener("click", () => {
            if (mayChange && !wasDragged) choose(device);
            wasDragged = false;
        });
        button.addEventListener("keydown", (event) => {
            if (!mayChange || event.altKey || event.metaKey || event.ctrlKey) return;
            const arrow = arrows[event.key];
            if (arrow) {
                const by = event.shiftKey ? leap : step;
                move(device, { x: at.x + arrow[0] * by, y: at.y + arrow[1] * by });
            } else if (event.key === "Delete" || event.key === "Backspace") takeOff(device);
            else return;
            event.preventDefault();
        });

        return {
            element: mark,
            /** @param {Arranged} model */
            update({ name, x, y, isChosen }) {
                at = { x, y };
                button.textContent = name;
                set(button, "aria-pressed", mayChange ? String(isChosen) : null);
                set(button, "aria-label", t("plans.mark", { name, across: format.number(x / 10, 0), down: format.number(y / 10, 0) }));
                set(mark, "data-chosen", isChosen);
                mark.style.transform = `translate(${(x / 1_000 * size.width).toFixed(1)}px, ${(y / 1_000 * size.height).toFixed(1)}px)`;
            },
            remove: () => buttons.delete(device),
        };
    }

    /** @type {readonly Arranged[]} */
    let shown = [];
    return {
        element,
        /**
         * @param {readonly Arranged[]} next
         * @param {boolean} may Whether they may be moved.
         * @param {boolean} isPlacing Whether the next touch says where one stands: those that stand already let it through.
         */
        update(next, may, isPlacing) {
            shown = next;
            mayChange = may;
            set(list, "data-placing", isPlacing);
            update(next);
        },
        /** @param {{width: number, height: number}} next */
        resize(next) {
            size = next;
            update(shown);
        },
        /** @param {string} device */
        focus: (device) => buttons.get(device)?.focus({ preventScroll: true }),
    };
}
