/**
 * The desktop's list of devices beside the tabs: each with its state in a word.
 */

import { createShape } from "../components/shape/shape.js";
import { createSymbol } from "../components/symbol/symbol.js";
import { h } from "./dom.js";
import { standingOf } from "./headline.js";
import { effect } from "./signals.js";

/**
 * @param {object} parts
 * @param {HTMLElement} parts.root
 * @param {import("./store.js").Store} parts.store
 * @param {() => import("../lang/index.js").Words} parts.words
 */
export function createRail({ root, store, words }) {
    function draw() {
        const tanks = store.tanks.value ?? [];
        const t = words();
        const now = Date.now();
        root.replaceChildren(
            h(
                "div",
                { class: "rail-head" },
                h("h2", { class: "small quiet" }, t("tabs.devices")),
                h("a", { class: "icon-button", href: "/devices/link", "aria-label": t("devices.link") }, createSymbol("plus")),
            ),
            h("ul", null, ...tanks.map((tank) => {
                const { state } = standingOf(tank, now);
                const shape = state === "waiting" ? null : state;
                return h(
                    "li",
                    null,
                    h(
                        "a",
                        { class: "rail-device", href: "/", onclick: () => store.choose(tank.id) },
                        h("span", { class: "rail-name" }, tank.name),
                        shape ? createShape(shape) : null,
                        h("span", { class: `rail-state small rail-${state}` }, t(state === "silent" ? "tabs.silent" : `state.${state}`)),
                    ),
                );
            })),
        );
    }
    return {
        start() {
            const wide = matchMedia("(min-width: 1200px)");
            const refresh = () => {
                if (wide.matches) draw();
            };
            effect([store.tanks, store.settings], refresh);
            wide.addEventListener("change", refresh);
            setInterval(refresh, 60_000);
        },
    };
}
