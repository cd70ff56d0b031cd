/**
 * One parameter in detail, as a screen of its own; on wide windows it stands beside the list of all.
 */

import { createEmpty } from "../../../components/page/page.js";
import { createIcon } from "../../../components/shape/shape.js";
import { h, setText } from "../../../page/dom.js";
import { effect } from "../../../page/signals.js";
import { mount as mountHome } from "../home.js";
import { createDetails } from "./pane.js";

/**
 * @param {HTMLElement} root
 * @param {import("../../../app/context.js").Context} context
 * @param {Record<string, string>} params
 * @returns {import("../../../app/context.js").Mounted}
 */
export function mount(root, context, params) {
    const wide = matchMedia("(min-width: 75em)");
    /** @type {import("../../../app/context.js").Mounted} */
    let standing = stand();

    function stand() {
        return wide.matches ? mountHome(root, context, params) : mountAlone(root, context, params);
    }

    function change() {
        standing.unmount();
        standing = stand();
    }
    wide.addEventListener("change", change);

    return {
        update: () => standing.update?.(),
        unmount() {
            wide.removeEventListener("change", change);
            standing.unmount();
        },
    };
}

/**
 * @param {HTMLElement} root
 * @param {import("../../../app/context.js").Context} context
 * @param {Record<string, string>} params
 * @returns {import("../../../app/context.js").Mounted}
 */
function mountAlone(root, context, { device, parameter }) {
    const { store, t } = context;
    const isKnown = t.has(`water.${parameter}_full`);
    const title = isKnown ? t(`water.${parameter}_full`) : t("details.unknown");
    const place = h("p");
    const details = isKnown ? createDetails(context, { device, parameter, isBeside: false }) : null;
    root.replaceChildren(h(
        "div",
        { class: "single details-screen" },
        h(
            "header",
            { class: "screen-bar" },
            h("button", {
                class: "icon-button",
                type: "button",
                "aria-label": t("details.back"),
                onclick: () => context.back("/"),
            }, createIcon("back")),
            h("div", { class: "screen-bar-name" }, h("h1", { tabindex: "-1" }, title), place),
            h("span", { class: "screen-bar-end", "aria-hidden": "true" }),
        ),
        details ? details.element : createEmpty(t("details.unknownReason"), { text: t("details.back"), href: "/" }),
    ));
    context.title(title);
    const sideways = matchMedia("(min-width: 40em) and (max-height: 479.98px)");
    /** Whoever turns the phone wants to see the graph. */
    const turned = () => sideways.matches && scrollTo(0, 0);
    sideways.addEventListener("change", turned);
    const end = effect([store.devices], () => setText(place, store.deviceOf(device)?.name ?? ""));
    return {
        update: () => details?.update(),
        unmount() {
            end();
            sideways.removeEventListener("change", turned);
            details?.unmount();
        },
    };
}
