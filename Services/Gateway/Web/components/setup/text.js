/** A text to copy or to save, with the key out of sight until somebody wants to see it. */

import { h, set, setText } from "../../page/dom.js";
import { createButton } from "../button/button.js";
import { filledIn } from "./settings-text.js";

/** @typedef {import("../../app/context.js").Context} Context */

const hidden = "••••••••";

/**
 * The configuration of firmware that is not ours.
 * @param {Context} context
 * @param {import("./setup.js").SetUpDevice} device
 * @param {string} firmware
 * @param {import("./setup.js").Setup} setup
 * @returns {import("./setup.js").Way}
 */
export function createText({ t, ...context }, device, firmware, setup) {
    const file = setup.file ?? `${device.id}.txt`;
    const { authority } = setup;
    return {
        element: h(
            "div",
            { class: "setup-way" },
            h("p", null, t(`setup.note_${firmware.replace("-", "_")}`)),
            createKeyText({ ...context, t }, setup.text, device.password, file),
            authority === null ? null : createButton({ text: t("setup.authority"), kind: "text", press: () => save("ca.pem", authority) }).element,
        ),
        end() {},
    };
}

/**
 * @param {Pick<Context, 't' | 'toast'>} context
 * @param {string} text With `{{password}}` where the key belongs.
 * @param {string | null} key null: a gap is left.
 * @param {string | null} file Under which name it is saved; null: it is not.
 */
export function createKeyText({ t, toast }, text, key, file) {
    const whole = filledIn(text, key ?? t("setup.gap"));
    const shown = h("pre", { class: "setup-text", tabindex: "0" }, key === null ? whole : filledIn(text, hidden));
    const hasKey = key !== null && text.includes("{{password}}");
    let isShown = false;
    const reveal = h("button", { class: "button button-text", type: "button", onclick: turn }, t("setup.key_show"));

    function turn() {
        isShown = !isShown;
        setText(shown, isShown ? whole : filledIn(text, hidden));
        setText(reveal, t(isShown ? "setup.key_hide" : "setup.key_show"));
    }

    async function copy() {
        try {
            await navigator.clipboard.writeText(whole);
            toast({ text: t("common.copied") });
        } catch {
            if (hasKey && !isShown) turn();
            getSelection()?.selectAllChildren(shown);
        }
    }

    set(reveal, "hidden", !hasKey);
    return h(
        "div",
        { class: "setup-copy" },
        shown,
        h(
            "div",
            { class: "setup-buttons" },
            createButton({ text: t("common.copy"), kind: "primary", press: copy }).element,
            file === null ? null : createButton({ text: t("setup.save"), press: () => save(file, whole) }).element,
            reveal,
        ),
    );
}

/**
 * Saves a text where the browser saves files.
 * @param {string} name
 * @param {string} text
 */
function save(name, text) {
    const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    const link = h("a", { href: address, download: name, hidden: true });
    // Within the sheet: what lies behind it cannot be clicked.
    (document.querySelector("dialog[open]") ?? document.body).append(link);
    link.click();
    link.remove();
    // Some browsers begin to read the file a moment after the click.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
