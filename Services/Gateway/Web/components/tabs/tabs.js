/**
 * The four tabs: below on phones and tablets; on the desktop a rail, with every device and its last hours.
 */

import { h, set, setText } from "../../page/dom.js";
import { createMark, createSymbol } from "../symbol/symbol.js";

/** @typedef {'water' | 'alerts' | 'devices' | 'settings'} Tab */

/**
 * @typedef {object} TabsModel
 * @property {Tab | null} current
 * @property {string} label What the bar is called for readers.
 * @property {Record<Tab, string>} names
 * @property {number} open How many alerts go on that nobody answers.
 * @property {string} openLabel The same in words.
 */

/** @type {readonly [Tab, string][]} */
const tabs = [["water", "/"], ["alerts", "/alerts"], ["devices", "/devices"], ["settings", "/settings"]];

export function createTabs() {
    /** @type {Record<string, {link: HTMLAnchorElement, name: HTMLElement}>} */
    const parts = {};
    const badge = h("span", { class: "tab-badge", "aria-hidden": "true", hidden: true });
    const badgeText = h("span", { class: "visually-hidden" });
    const list = h("ul", { class: "tabs" });
    for (const [tab, path] of tabs) {
        const name = h("span", { class: "tab-name" });
        const icon = h("span", { class: "tab-icon" }, createSymbol(tab), tab === "alerts" && badge);
        const link = h("a", { class: "tab", href: path }, icon, name, tab === "alerts" && badgeText);
        parts[tab] = { link, name };
        list.append(h("li", null, link));
    }
    const rail = h("div", { class: "rail-devices" });
    const element = h(
        "nav",
        { class: "shell-tabs", hidden: true },
        h("p", { class: "rail-brand name", "aria-hidden": "true" }, createMark(), "AquaMonitor"),
        list,
        rail,
    );
    return {
        element,
        /** Where the desktop lists the devices. */
        rail,
        /** @param {TabsModel} model */
        update(model) {
            set(element, "hidden", model.current === null);
            set(element, "aria-label", model.label);
            for (const [tab] of tabs) {
                setText(parts[tab].name, model.names[tab]);
                set(parts[tab].link, "aria-current", tab === model.current ? "page" : null);
            }
            set(badge, "hidden", model.open === 0);
            setText(badge, String(model.open));
            setText(badgeText, model.open === 0 ? "" : `, ${model.openLabel}`);
        },
    };
}
