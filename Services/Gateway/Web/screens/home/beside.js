/**
 * The details on the home screen itself: beside the list on wide windows, and on tablets in the place of the card of what is
 * outside.
 */

import { h, set } from "../../page/dom.js";
import { findingsOf } from "../../water/headline.js";
import { largeOf } from "../../water/leading.js";

/** @typedef {import("../../water/headline.js").Gauge} Gauge */
/** @typedef {import("../../water/headline.js").Tank} Tank */
/** @typedef {ReturnType<typeof import("./cards.js").createCards>} Cards */
/** @typedef {typeof import("./details/pane.js").createDetails} CreateDetails */
/** @typedef {ReturnType<CreateDetails>} Details */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} parts
 * @param {Cards} parts.cards
 * @param {() => void} parts.changed The window is wide now, or no longer.
 * @param {{device: string, name: string} | null} parts.chosen
 */
export function createBeside(context, { cards, changed, chosen }) {
    const wide = matchMedia("(min-width: 75em)");
    const medium = matchMedia("(min-width: 46.5em) and (max-width: 74.99875em) and (min-height: 480px)");
    const element = h("div", { class: "home-details" });
    /** Beside the list. @type {Details | null} */
    let pane = null;
    /** In the place of a card. @type {Details | null} */
    let opened = null;
    wide.addEventListener("change", changed);
    medium.addEventListener("change", changed);
    /** Once all words of this language are there, too: those of a visit in another say nothing of them. @type {CreateDetails | null} */
    let createDetails = null;
    /** @type {Promise<void> | null} */
    let loading = null;
    let hasEnded = false;

    /** Wide windows need it at once, phones not before somebody opens the details. */
    function load() {
        loading ??= context.t.along(import("./details/pane.js")).then((module) => {
            createDetails = module.createDetails;
            if (!hasEnded) changed();
        }, () => {
            loading = null; // asked for again at the next update
        });
    }

    /**
     * What stands already, or other details in its place.
     * @param {Details | null} standing
     * @param {Tank | null | undefined} tank
     * @param {string | null} name
     */
    function exchanged(standing, tank, name) {
        if (standing && standing.device === tank?.id && standing.parameter === name) return standing;
        standing?.unmount();
        standing?.element.remove();
        if (!tank || name === null) return null;
        if (!createDetails) load();
        return createDetails?.(context, { device: tank.id, parameter: name, isBeside: true }) ?? null;
    }

    /**
     * The parameter beside the list: the chosen one, else the worst outside, else the one that stands there already, else the
     * worst, else the first.
     * @param {Tank | null | undefined} tank
     * @param {number} now
     */
    function nameBeside(tank, now) {
        if (!tank || !wide.matches) return null;
        const standing = pane?.device === tank.id ? pane.parameter : null;
        const wanted = chosen?.device === tank.id ? chosen.name : largeOf(tank, standing, now) ?? standing;
        if (wanted !== null && tank.gauges.some((gauge) => gauge.name === wanted)) return wanted;
        const worst = findingsOf(tank, now).find((finding) => finding.gauge !== null)?.gauge;
        const gauges = cards.ordered(tank);
        return (worst ?? gauges.find((gauge) => gauge.value !== null) ?? gauges[0])?.name ?? null;
    }

    /**
     * @param {Tank | null | undefined} tank
     * @param {number} now
     */
    function nameOpened(tank, now) {
        if (!tank || !medium.matches || cards.isEdited()) return null;
        return largeOf(tank, opened?.device === tank.id ? opened.parameter : null, now);
    }

    return {
        element,
        isWide: () => wide.matches,
        nameBeside,

        /**
         * @param {string} device
         * @param {string} name
         */
        choose(device, name) {
            chosen = { device, name };
        },

        /**
         * @param {Tank | null | undefined} tank
         * @param {number} now
         */
        update(tank, now) {
            const name = nameBeside(tank, now);
            pane = exchanged(pane, tank, name);
            if (pane && pane.element.parentElement !== element) element.replaceChildren(pane.element);
            // Its place is kept from the first paint on.
            set(element, "hidden", !wide.matches || tank === null);

            const inCard = nameOpened(tank, now);
            opened = exchanged(opened, tank, inCard);
            opened?.element.classList.add("home-opened");
            const card = inCard === null ? undefined : cards.cardOf(inCard);
            if (opened && card && opened.element.parentElement !== card.element) card.element.append(opened.element);
            cards.setOpened(inCard);
        },

        /** Whether cards have the height that they will keep: no graph is still to open in the place of one. */
        isSettled: () => !medium.matches || opened !== null,

        remove() {
            hasEnded = true;
            wide.removeEventListener("change", changed);
            medium.removeEventListener("change", changed);
            pane?.unmount();
            opened?.unmount();
        },
    };
}
