/** Where the person is: asked of the phone once, when they wish it, and told to nobody. */

import { h, set } from "../../page/dom.js";
import { createSymbol } from "../../components/symbol/symbol.js";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {(place: {latitude: number, longitude: number, accuracy: number}) => void} found
 */
export function createHere({ t, toast }, found) {
    const element = h("button", { class: "chip chip-small", type: "button", hidden: !("geolocation" in navigator), onclick: ask }, createSymbol("pin"), t("changeMap.here"));
    let isGone = false;

    function ask() {
        set(element, "aria-busy", true);
        navigator.geolocation.getCurrentPosition(({ coords }) => {
            end();
            if (!isGone) found({ latitude: coords.latitude, longitude: coords.longitude, accuracy: coords.accuracy });
        }, () => {
            end();
            if (!isGone) toast({ text: t("changeMap.here_failed") });
        }, { enableHighAccuracy: true, maximumAge: 60_000, timeout: 30_000 });
    }

    const end = () => set(element, "aria-busy", null);

    return {
        element,
        remove() {
            isGone = true;
        },
    };
}
