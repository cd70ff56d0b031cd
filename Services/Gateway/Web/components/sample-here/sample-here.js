/** A sample that is taken where somebody presses a map: at a known place near it, else at one that is made there. */

import { h, set } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { isSite, nearby, newSamplePath, placesNear } from "../../water/field/place.js";
import { distanceText } from "../../water/field/text.js";
import { mayAct, mayWrite } from "../../water/projects.js";
import { createButton } from "../button/button.js";
import { createList, createRow } from "../list-row/list-row.js";
import { createDoing } from "../symbol/doings.js";

/** @typedef {{latitude: number, longitude: number}} Place */

/** @param {import("../../app/context.js").Context} context */
export function createSampleHere(context) {
    const { t, store } = context;
    const chip = h("button", { class: "chip chip-small map-aim", type: "button", "aria-pressed": "false", onclick: () => turn(!isAwaited) }, createDoing("testTube"), t("field.here"));
    const told = h("p", { class: "small", role: "status" });
    /** Whether the next press says where. */
    let isAwaited = false;

    /** @param {boolean} next */
    function turn(next) {
        isAwaited = next;
        set(chip, "aria-pressed", String(next));
        set(chip, "data-on", next);
        told.textContent = next ? t("field.here_text") : "";
    }

    // Whoever only looks takes no samples.
    const end = effect([store.tanks], () => {
        const isOffered = mayWrite(store.tanks.value ?? []);
        set(chip, "hidden", !isOffered);
        if (!isOffered && isAwaited) turn(false);
    });

    return {
        chip,
        told,
        end,
        /**
         * The map was pressed.
         * @param {Place} place
         * @returns {boolean} Whether that said where the sample is taken.
         */
        press(place) {
            if (!isAwaited) return false;
            turn(false);
            openHere(context, place);
            return true;
        },
    };
}

/**
 * @param {import("../../app/context.js").Context} context
 * @param {Place} at
 */
function openHere(context, at) {
    const { t, store } = context;
    const near = placesNear((store.devices.value ?? []).filter((one) => mayAct(one)), at);
    const rows = near.map(({ place, metres }) =>
        createRow({
            name: place.name,
            detail: t("field.from_here", { distance: distanceText(context, metres ?? 0) }),
            icon: isSite(place) ? "pin" : "devices",
            press: () => go(place.id),
        }).element
    );
    const fresh = createButton({ text: t("field.here_new"), kind: near.length === 0 ? "primary" : "outlined", press: () => go(null) });
    const sheet = context.sheet({
        title: t("field.here"),
        lead: near.length === 0 ? t("field.here_none", { distance: distanceText(context, nearby) }) : t("field.here_near"),
        body: [near.length === 0 ? null : createList(...rows), fresh.element],
    });

    /** @param {string | null} device null: at a place that is made. */
    function go(device) {
        sheet.close();
        void context.navigate(newSamplePath({ device, at }));
    }
}
