/**
 * A wheel of values, five in sight: by finger, wheel, buttons, arrows, or by typing a number.
 */

import { h, set, setText } from "../../page/dom.js";
import { parseNumber } from "../../words/numbers.js";
import { uniqueID } from "../shape/shape.js";
import { createSymbol } from "../symbol/symbol.js";

/**
 * @typedef {object} PickerModel
 * @property {string} label
 * @property {readonly number[]} values
 * @property {number} index
 * @property {number} present The place of the value that holds now; -1 for none.
 * @property {(value: number) => string} text A value as people read it.
 * @property {string} unit
 * @property {(index: number) => string} [beside] What stands at the end of a value's row.
 * @property {(index: number) => void} onChange
 * @property {(value: number) => number} nearest The place of the value nearest to a number that was typed.
 * @property {{present: string, less: string, more: string}} words
 */

const rowHeight = 44;
const around = 2;
const page = 10;
const typingPause = 1_200;

/** @param {PickerModel} model */
export function createPicker(model) {
    const { values, words } = model;
    const id = uniqueID();
    const rows = Array.from({ length: 2 * around + 1 }, (_, place) => {
        const value = h("span", { class: "picker-value" });
        const unit = h("span");
        const note = h("span", { class: "picker-note small" });
        const beside = h("span", { class: "picker-beside small" });
        const element = h("div", { class: "picker-row", role: "option", id: `${id}-${place}` }, value, unit, note, beside);
        element.addEventListener("click", () => {
            if (!wasDragged) move(index + place - around);
        });
        return { element, value, unit, note, beside };
    });
    const list = h(
        "div",
        {
            class: "picker-list",
            role: "listbox",
            tabindex: "0",
            "aria-label": model.label,
            "aria-activedescendant": `${id}-${around}`,
            autofocus: true,
        },
        ...rows.map((row) => row.element),
    );
    const less = createStep("minus", words.less, -1);
    const more = createStep("plus", words.more, 1);
    const element = h("div", { class: "picker" }, list);
    let index = model.index;
    let typed = "";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let typing;
    let wasDragged = false;

    /** @param {number} next */
    function move(next) {
        const bounded = Math.min(values.length - 1, Math.max(0, next));
        if (bounded === index) return;
        index = bounded;
        show();
        model.onChange(index);
    }

    function show() {
        rows.forEach(({ element: row, value, unit, note, beside }, place) => {
            const at = index + place - around;
            const isThere = at >= 0 && at < values.length;
            set(row, "data-empty", !isThere);
            set(row, "aria-hidden", isThere ? null : "true");
            set(row, "aria-selected", isThere ? String(place === around) : null);
            set(row, "aria-setsize", isThere ? values.length : null);
            set(row, "aria-posinset", isThere ? at + 1 : null);
            setText(value, isThere ? model.text(values[at]) : "");
            setText(unit, isThere && place === around ? model.unit : "");
            setText(note, isThere && at === model.present ? words.present : "");
            setText(beside, isThere ? model.beside?.(at) ?? "" : "");
        });
        less.disabled = index === 0;
        more.disabled = index === values.length - 1;
    }

    list.addEventListener("keydown", (event) => {
        /** @type {Record<string, () => void>} */
        const keys = {
            ArrowUp: () => move(index - 1),
            ArrowDown: () => move(index + 1),
            ArrowLeft: () => move(index - 1),
            ArrowRight: () => move(index + 1),
            PageUp: () => move(index - page),
            PageDown: () => move(index + page),
            Home: () => move(0),
            End: () => move(values.length - 1),
            Backspace: () => type(typed.slice(0, -1)),
        };
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const act = keys[event.key] ?? (/^[0-9０-９.,\-−]$/.test(event.key) ? () => type(typed + event.key) : null);
        if (!act) return;
        event.preventDefault();
        act();
    });

    /** @param {string} text */
    function type(text) {
        typed = text;
        clearTimeout(typing);
        typing = setTimeout(() => typed = "", typingPause);
        const number = parseNumber(typed);
        if (number !== null) move(model.nearest(number));
    }

    // MARK: Wheel and finger

    let rolled = 0;
    list.addEventListener("wheel", (event) => {
        event.preventDefault();
        rolled += event.deltaMode === 1 ? event.deltaY * rowHeight : event.deltaY;
        const steps = Math.trunc(rolled / rowHeight);
        rolled -= steps * rowHeight;
        if (steps !== 0) move(index + steps);
    }, { passive: false });

    let start = 0;
    let startIndex = 0;
    /** The last places of the finger, for how fast it leaves. @type {{y: number, at: number}[]} */
    let trail = [];
    let glide = 0;
    list.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        cancelAnimationFrame(glide);
        start = event.clientY;
        startIndex = index;
        wasDragged = false;
        trail = [{ y: event.clientY, at: event.timeStamp }];
    });
    list.addEventListener("pointermove", (event) => {
        if (trail.length === 0 || event.buttons === 0) return;
        const way = start - event.clientY;
        if (!wasDragged && Math.abs(way) < 8) return;
        if (!wasDragged) list.setPointerCapture(event.pointerId);
        wasDragged = true;
        trail = [...trail.filter(({ at }) => event.timeStamp - at < 100), { y: event.clientY, at: event.timeStamp }];
        move(startIndex + Math.round(way / rowHeight));
    });
    const release = (/** @type {PointerEvent} */ event) => {
        const [first] = trail;
        trail = [];
        if (!wasDragged || !first || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
        const speed = (first.y - event.clientY) / Math.max(16, event.timeStamp - first.at);
        roll(speed);
    };
    list.addEventListener("pointerup", release);
    list.addEventListener("pointercancel", () => trail = []);

    /** @param {number} speed In pixels a millisecond. */
    function roll(speed) {
        let last = performance.now();
        let rest = 0;
        const step = (/** @type {number} */ now) => {
            rest += speed * (now - last);
            speed *= 0.995 ** (now - last);
            last = now;
            const steps = Math.trunc(rest / rowHeight);
            rest -= steps * rowHeight;
            if (steps !== 0) move(index + steps);
            if (Math.abs(speed) > 0.05) glide = requestAnimationFrame(step);
        };
        if (Math.abs(speed) > 0.4) glide = requestAnimationFrame(step);
    }

    /**
     * A button for one step; held down it goes on, faster and faster.
     * @param {string} icon
     * @param {string} label
     * @param {number} direction
     */
    function createStep(icon, label, direction) {
        const button = h("button", { class: "button picker-step", type: "button", "aria-label": label }, createSymbol(icon));
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        let timer;
        let isHeld = false;
        const again = (/** @type {number} */ pause) => {
            timer = setTimeout(() => {
                isHeld = true;
                move(index + direction);
                again(Math.max(40, pause * 0.9));
            }, pause);
        };
        const end = () => clearTimeout(timer);
        button.addEventListener("pointerdown", () => {
            isHeld = false;
            again(400);
        });
        for (const name of ["pointerup", "pointerleave", "pointercancel"]) button.addEventListener(name, end);
        button.addEventListener("click", () => {
            end();
            if (!isHeld) move(index + direction);
            isHeld = false;
        });
        return button;
    }

    show();
    return {
        element,
        less,
        more,
        /** Shows what stands beside the values anew. */
        update: show,
        get index() {
            return index;
        },
    };
}
