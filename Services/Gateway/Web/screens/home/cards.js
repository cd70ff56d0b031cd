/**
 * The cards of one device in the person's order, which can be changed here. What has no probe stands apart.
 */

import { createBlankCard, createCard } from "../../components/card/card.js";
import { createIcon } from "../../components/shape/shape.js";
import { merged } from "../../drawing/order.js";
import { h, set, setText } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { isPast, isShown } from "../../water/headline.js";
import { cardModel } from "./models.js";
import { attachReorder } from "./reorder.js";

/** @typedef {import("../../water/headline.js").Gauge} Gauge */
/** @typedef {import("../../water/headline.js").Headline} Headline */
/** @typedef {import("../../water/headline.js").Tank} Tank */
/** @typedef {ReturnType<typeof createCard>} Card */

const blanks = 5;
/** How long a ring grows from one screen to the next. */
const growing = 500;
/** The card that was opened last: its ring grows into the value of the details, and back. */
let lastOpened = "";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} events
 * @param {() => void} events.changed The order, or whether it is being changed.
 * @param {(text: string) => void} events.say To readers of the screen.
 * @param {() => void} events.finished The order is as it should be.
 * @param {(event: MouseEvent, gauge: string) => boolean} events.open Whether the details open on this screen.
 */
export function createCards(context, { changed, say, finished, open }) {
    const { store, t } = context;
    const done = h("button", { class: "button button-primary", type: "button", onclick: () => edit(false) }, t("home.order_done"));
    const editing = h("div", { class: "home-editing", hidden: true }, h("p", null, t("home.order_hint")), done);
    const cards = h("ul", { class: "home-cards" });
    const restName = h("summary", { class: "home-rest-name" });
    const restCards = h("ul", { class: "home-cards" });
    const rest = h("details", { class: "home-rest", hidden: true }, restName, restCards);
    const journal = h("a", { class: "home-journal", hidden: true }, h("span", null, t("journal.title")), createIcon("chevronRight", "icon-small"));
    const element = h("div", null, cards, rest, journal);
    /** @type {Map<string, Card>} */
    const made = new Map();
    let isEdited = false;
    let hasEnded = false;
    /** The order while it is on its way to the service. @type {string[] | null} */
    let draft = null;
    let isSaving = false;
    /** What people measured themselves, once that has come. @type {ReturnType<typeof import("./by-hand.js").createByHand> | null} */
    let byHand = null;
    let endShown = () => {};

    const endHand = effect([store.hand], async () => {
        const keeping = store.hand.value;
        if (!keeping || byHand) return;
        try {
            byHand = (await t.along(import("./by-hand.js"))).createByHand(context, keeping);
        } catch {
            return; // The cards stand without it.
        }
        if (hasEnded) return;
        endShown = keeping.shown.subscribe(changed);
        changed();
    });

    const reordering = attachReorder(cards, {
        order: () => [...cards.children].flatMap((card) => card.getAttribute("data-name") ?? []),
        cardOf: (name) => made.get(name)?.element,
        reorder(order, name) {
            const tank = store.current.value;
            if (!tank) return;
            draft = merged(tank.gauges.map((gauge) => gauge.name), order);
            const handle = made.get(name)?.handle;
            const hadFocus = handle !== undefined && document.activeElement === handle;
            changed();
            if (hadFocus) handle?.focus();
            const place = order.indexOf(name) + 1;
            say(t("home.order_moved", { name: t(`water.${name}`), place, count: order.length }));
            save(tank.id);
        },
    });

    /** @param {string} device */
    async function save(device) {
        if (isSaving) return;
        isSaving = true;
        while (draft) {
            const order = draft;
            try {
                await store.reorder(device, order);
            } catch (error) {
                draft = null;
                context.toast({ text: t("home.order_failed", { problem: context.explain(error) }) });
            }
            if (draft === order) draft = null;
        }
        isSaving = false;
        changed();
    }

    /** @param {boolean} next */
    function edit(next) {
        isEdited = next;
        changed();
        if (next) made.get(cards.firstElementChild?.getAttribute("data-name") ?? "")?.handle.focus();
        else finished();
    }

    /**
     * @param {Tank} tank
     * @returns {Gauge[]}
     */
    function ordered(tank) {
        const own = draft;
        if (!own) return tank.gauges;
        return [...tank.gauges].sort((one, other) => own.indexOf(one.name) - own.indexOf(other.name));
    }

    /** @param {'ghost' | 'loading'} kind */
    function showBlanks(kind) {
        set(rest, "hidden", true);
        if (cards.getAttribute("data-blank") === kind) return;
        cards.setAttribute("data-blank", kind);
        cards.replaceChildren(...Array.from({ length: blanks }, () => createBlankCard(kind)));
    }

    /**
     * Puts the cards of some parameters into a list, in their order, and leaves alone those that stand right.
     * @param {HTMLElement} into
     * @param {Gauge[]} gauges
     */
    function place(into, gauges) {
        gauges.forEach(({ name }, index) => {
            const { element } = cardOf(name);
            if (into.children[index] !== element) into.insertBefore(element, into.children[index] ?? null);
        });
    }

    /** @param {string} name */
    function cardOf(name) {
        const known = made.get(name);
        if (known) return known;
        const card = createCard();
        card.element.setAttribute("data-name", name);
        card.link.addEventListener("click", (event) => press(event, name));
        made.set(name, card);
        if (name === lastOpened) {
            card.ring.setAttribute("data-growing", "");
            setTimeout(() => card.ring.removeAttribute("data-growing"), growing);
            lastOpened = "";
        }
        return card;
    }

    /**
     * @param {MouseEvent} event
     * @param {string} name
     */
    function press(event, name) {
        if (!store.current.value || event.metaKey || event.ctrlKey || event.shiftKey) return;
        if (isEdited) return event.preventDefault();
        if (open(event, name)) return;
        lastOpened = name;
        made.get(name)?.ring.setAttribute("data-growing", "");
    }

    return {
        element,
        editing,
        edit,
        ordered,
        isMoving: () => reordering.isMoving(),
        isEdited: () => isEdited,
        /** @param {string} name */
        cardOf: (name) => made.get(name),
        /** @param {string | null} name The card that stands open as a graph. */
        setOpened(name) {
            for (const [other, card] of made) set(card.element, "data-opened", other === name);
        },

        /** Begins anew, for another device. */
        clear() {
            draft = null;
            isEdited = false;
            for (const card of made.values()) card.element.remove();
            made.clear();
        },

        /**
         * @param {Tank | null | undefined} tank
         * @param {Headline} headline
         * @param {object} surroundings
         * @param {number} surroundings.now
         * @param {string | null} surroundings.current The parameter whose details stand beside the list.
         * @param {(gauge: Gauge) => import("../../water/series.js").Series | null} surroundings.seriesOf
         */
        update(tank, headline, { now, current, seriesOf }) {
            set(editing, "hidden", !isEdited);
            set(cards, "data-edited", isEdited);
            set(cards, "data-worked", headline.kind === "working");
            set(journal, "hidden", !tank || isEdited);
            if (tank) set(journal, "href", `/care/journal?tank=${encodeURIComponent(tank.id)}`);
            if (!tank) return showBlanks(tank === null ? "ghost" : "loading");
            if (cards.hasAttribute("data-blank")) {
                cards.removeAttribute("data-blank");
                cards.replaceChildren();
            }
            byHand?.look(tank, now);
            const isKnown = (/** @type {Gauge} */ gauge) => gauge.value !== null || byHand?.has(gauge) === true;
            const gauges = ordered(tank).filter((gauge) => isShown(gauge) || isKnown(gauge));
            // Of a place what people measured comes first, and nothing else is waited for.
            const hasSome = Boolean(tank.site) || gauges.some((gauge) => gauge.value !== null);
            // What nobody measures stands apart, unless nothing was measured yet.
            const shown = hasSome ? gauges.filter(isKnown) : gauges;
            const unmeasured = hasSome ? gauges.filter((gauge) => !isKnown(gauge)) : [];
            place(cards, shown);
            place(restCards, unmeasured);
            const names = new Set(gauges.map((gauge) => gauge.name));
            for (const [name, card] of made) if (!names.has(name)) card.element.remove();
            set(rest, "hidden", unmeasured.length === 0 || isEdited);
            setText(restName, t("home.unmeasured", { count: unmeasured.length }));
            for (const [index, gauge] of [...shown, ...unmeasured].entries()) {
                const card = cardOf(gauge.name);
                const model = cardModel(context, tank, gauge, {
                    now,
                    isCutOff: isPast(headline),
                    seenAt: headline.at,
                    series: seriesOf(gauge),
                    isCurrent: gauge.name === current,
                    place: index + 1,
                    count: shown.length,
                });
                if (byHand) byHand.update(card, model, tank.id, gauge, now);
                else card.update(model);
                card.edit(isEdited && index < shown.length && shown.length > 1);
            }
        },

        remove() {
            hasEnded = true;
            reordering.remove();
            endHand();
            endShown();
        },
    };
}
