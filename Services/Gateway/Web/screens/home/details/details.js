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
    const heading = h("h1", { tabindex: "-1" });
    const place = h("p");
    /** @type {Element} */
    let content = h("div");
    /** Whether the device has the parameter; before its parameters are known, whether there are words for it. @type {boolean | null} */
    let isKnown = null;
    /** @type {ReturnType<typeof createDetails> | null} */
    let details = null;
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
            h("div", { class: "screen-bar-name" }, heading, place),
            h("span", { class: "screen-bar-end", "aria-hidden": "true" }),
        ),
        content,
    ));

    function stand() {
        setText(place, store.deviceOf(device)?.name ?? "");
        const was = isKnown;
        isKnown = store.hasParameter(device, parameter) ?? t.has(`water.${parameter}_full`);
        if (isKnown === was) return;
        details?.unmount();
        details = isKnown ? createDetails(context, { device, parameter, isBeside: false }) : null;
        const next = details?.element ?? createEmpty(t("details.unknownReason"), { text: t("details.back"), href: "/" });
        content.replaceWith(next);
        content = next;
        const title = t(isKnown ? `water.${parameter}_full` : "details.unknown");
        setText(heading, title);
        context.title(title);
    }

    const sideways = matchMedia("(min-width: 40em) and (max-height: 479.98px)");
    /** Whoever turns the phone wants to see the graph. */
    const turned = () => sideways.matches && scrollTo(0, 0);
    sideways.addEventListener("change", turned);
    const end = effect([store.devices, store.parameters], stand);
    return {
        update: () => details?.update(),
        unmount() {
            end();
            sideways.removeEventListener("change", turned);
            details?.unmount();
        },
    };
}
