/**
 * Moves cards: by a long press, by their handles, and with the arrow keys on a handle.
 */

import { moved, placeAt } from "../../drawing/order.js";

/** How long a press is that lifts a card, and how far a finger may stray meanwhile. */
const press = 450;
const stray = 8;
/** So near to an edge of the window it scrolls. */
const edge = 72;

/**
 * @param {HTMLElement} list
 * @param {object} events
 * @param {() => string[]} events.order The names of the cards, as they stand.
 * @param {(name: string) => HTMLElement | undefined} events.cardOf
 * @param {(order: string[], name: string) => void} events.reorder
 */
export function attachReorder(list, { order, cardOf, reorder }) {
    /**
     * @typedef {object} Drag
     * @property {string} name
     * @property {HTMLElement} card
     * @property {number} pointer
     * @property {{x: number, y: number}} start
     * @property {number} scroll
     * @property {{x: number, y: number}} last
     * @property {string[]} before
     * @property {DOMRect[]} places
     * @property {number} place
     */
    /** @type {Drag | null} */
    let drag = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    /** @type {{x: number, y: number, pointer: number} | null} */
    let pressed = null;
    let frame = 0;

    /** @param {EventTarget | null} target */
    function nameOf(target) {
        const card = target instanceof Element ? target.closest(".card") : null;
        return order().find((name) => cardOf(name) === card);
    }

    /**
     * @param {string} name
     * @param {{x: number, y: number, pointer: number}} at
     */
    function lift(name, at) {
        const card = cardOf(name);
        if (!card) return;
        const before = order();
        const places = before.map((other) => cardOf(other)?.getBoundingClientRect() ?? new DOMRect());
        const { x, y, pointer } = at;
        drag = { name, card, pointer, start: { x, y }, scroll: scrollY, last: { x, y }, before, places, place: before.indexOf(name) };
        try {
            card.setPointerCapture(pointer);
        } catch {
            drag = null; // the finger is gone already
            return;
        }
        card.setAttribute("data-lifted", "");
        for (const other of before) if (other !== name) cardOf(other)?.setAttribute("data-sliding", "");
        navigator.vibrate?.(10);
        frame = requestAnimationFrame(follow);
    }

    function follow() {
        if (!drag) return;
        const { card, start, last, scroll, places, before, name } = drag;
        if (last.y < edge) scrollBy(0, -8);
        else if (last.y > innerHeight - edge) scrollBy(0, 8);
        const by = { x: last.x - start.x, y: last.y - start.y + scrollY - scroll };
        card.style.setProperty("--drag-x", `${by.x}px`);
        card.style.setProperty("--drag-y", `${by.y}px`);
        const middles = places.map((place) => ({ x: place.x + place.width / 2, y: place.y + place.height / 2 }));
        const own = middles[before.indexOf(name)];
        drag.place = placeAt({ x: own.x + by.x, y: own.y + by.y }, middles);
        const next = moved(before, before.indexOf(name), drag.place);
        for (const [index, other] of next.entries()) {
            if (other === name) continue;
            const from = places[before.indexOf(other)];
            const to = places[index];
            const element = cardOf(other);
            if (element) element.style.transform = `translate(${to.x - from.x}px, ${to.y - from.y}px)`;
        }
        frame = requestAnimationFrame(follow);
    }

    /** @param {boolean} isKept */
    function drop(isKept) {
        if (!drag) return;
        const { card, before, name, place } = drag;
        cancelAnimationFrame(frame);
        drag = null;
        card.removeAttribute("data-lifted");
        for (const other of before) {
            const element = cardOf(other);
            element?.removeAttribute("data-sliding");
            if (element) element.style.transform = "";
        }
        card.style.removeProperty("--drag-x");
        card.style.removeProperty("--drag-y");
        // The click that ends a drag opens nothing.
        const swallow = (/** @type {Event} */ event) => {
            event.preventDefault();
            event.stopPropagation();
        };
        addEventListener("click", swallow, { capture: true, once: true });
        setTimeout(() => removeEventListener("click", swallow, { capture: true }), 80);
        if (isKept && before.indexOf(name) !== place) reorder(moved(before, before.indexOf(name), place), name);
    }

    function rest() {
        clearTimeout(timer);
        pressed = null;
    }

    list.addEventListener("pointerdown", (event) => {
        if (drag || (event.pointerType === "mouse" && event.button !== 0)) return;
        const name = nameOf(event.target);
        if (name === undefined) return;
        const at = { x: event.clientX, y: event.clientY, pointer: event.pointerId };
        if (event.target instanceof Element && event.target.closest(".card-handle")) {
            event.preventDefault();
            const handle = event.target.closest(".card-handle");
            if (handle instanceof HTMLElement) handle.focus();
            lift(name, at);
            return;
        }
        rest();
        pressed = at;
        timer = setTimeout(() => {
            pressed = null;
            lift(name, at);
        }, press);
    });

    list.addEventListener("pointermove", (event) => {
        if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > stray) rest();
        if (drag && event.pointerId === drag.pointer) drag.last = { x: event.clientX, y: event.clientY };
    });
    list.addEventListener("pointerup", () => {
        rest();
        drop(true);
    });
    list.addEventListener("pointercancel", () => {
        rest();
        drop(false);
    });
    // A lifted card moves instead of the page, and opens no menu.
    list.addEventListener("touchmove", (event) => drag && event.preventDefault(), { passive: false });
    list.addEventListener("contextmenu", (event) => (drag || pressed) && event.preventDefault());
    list.addEventListener("dragstart", (event) => event.preventDefault());

    list.addEventListener("keydown", (event) => {
        if (event.key === "Escape" && drag) return drop(false);
        if (!(event.target instanceof Element) || !event.target.closest(".card-handle")) return;
        const name = nameOf(event.target);
        if (name === undefined) return;
        const names = order();
        const from = names.indexOf(name);
        /** @type {Record<string, number>} */
        const places = {
            ArrowUp: from - 1,
            ArrowLeft: from - 1,
            ArrowDown: from + 1,
            ArrowRight: from + 1,
            Home: 0,
            End: names.length - 1,
        };
        const to = places[event.key];
        if (to === undefined) return;
        event.preventDefault();
        if (to < 0 || to >= names.length || to === from) return;
        reorder(moved(names, from, to), name);
    });

    return {
        isMoving: () => drag !== null,
        remove() {
            rest();
            drop(false);
        },
    };
}
