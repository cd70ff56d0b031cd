/** The minutes for which a kit's reagents need to work, counted down. */

import { h, set, setText } from "../../page/dom.js";

/** @param {import("../../app/context.js").Context} context */
export function createTimer({ t, format }) {
    const start = h("button", { class: "button", type: "button", onclick: begin });
    const left = h("p", { class: "hand-left", role: "timer", "aria-live": "off" });
    const said = h("p", { class: "visually-hidden", role: "status" });
    const element = h("div", { class: "hand-timer", hidden: true }, start, left, said);
    let minutes = 0;
    let endsAt = 0;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    let ticking;

    function begin() {
        endsAt = Date.now() + minutes * 60_000;
        clearInterval(ticking);
        ticking = setInterval(show, 1000);
        setText(said, "");
        show();
    }

    function show() {
        const seconds = Math.max(0, Math.ceil((endsAt - Date.now()) / 1000));
        setText(left, seconds > 0 ? t("byHand.wait", { span: format.duration(seconds * 1000) }) : t("byHand.readNow"));
        if (seconds > 0) return;
        clearInterval(ticking);
        setText(said, t("byHand.readNow"));
    }

    return {
        element,
        /** @param {import("../../water/by-hand.js").Kit | null} kit */
        setKit(kit) {
            minutes = Math.max(0, ...(kit?.tests ?? []).map(({ waitMinutes }) => waitMinutes ?? 0));
            clearInterval(ticking);
            setText(left, "");
            set(element, "hidden", minutes === 0);
            setText(start, t("byHand.timer", { span: format.duration(minutes * 60_000) }));
        },
        stop: () => clearInterval(ticking),
    };
}
