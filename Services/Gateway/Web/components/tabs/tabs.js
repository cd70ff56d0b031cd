/**
 * The five tabs: below on phones and tablets; on the desktop a rail, with every device and its last hours.
 */

import { brand } from "../../lang/languages.js";
import { h, set, setText } from "../../page/dom.js";
import { createMark, createSymbol } from "../symbol/symbol.js";

/** @typedef {'water' | 'alerts' | 'care' | 'devices' | 'settings'} Tab */

/**
 * @typedef {object} TabsModel
 * @property {Tab | null} current
 * @property {string} label What the bar is called for readers.
 * @property {Record<Tab, string>} names
 * @property {number} open How many alerts go on that nobody answers.
 * @property {string} openLabel The same in words.
 * @property {string} dueLabel What is to be done today or late, in words; empty of nothing.
 */

/** @type {readonly [Tab, string][]} */
const tabs = [["water", "/"], ["alerts", "/alerts"], ["care", "/care"], ["devices", "/devices"], ["settings", "/settings"]];

export function createTabs() {
    /** @type {Record<string, {link: HTMLAnchorElement, name: HTMLElement}>} */
    const parts = {};
    const badge = h("span", { class: "tab-badge", "aria-hidden": "true", hidden: true });
    const badgeText = h("span", { class: "visually-hidden" });
    const due = h("span", { class: "tab-due", hidden: true });
    // Beside the name where there is room for it, and for readers everywhere.
    const dueText = h("span", { class: "tab-due-text small" });
    /** @type {Partial<Record<Tab, [Node, Node]>>} What stands at an icon, and behind a name. */
    const more = { alerts: [badge, badgeText], care: [due, dueText] };
    const list = h("ul", { class: "tabs" });
    for (const [tab, path] of tabs) {
        const name = h("span", { class: "tab-name" });
        const icon = h("span", { class: "tab-icon" }, createSymbol(tab), more[tab]?.[0]);
        const link = h("a", { class: "tab", href: path }, icon, name, more[tab]?.[1]);
        parts[tab] = { link, name };
        list.append(h("li", null, link));
    }
    const rail = h("div", { class: "rail-devices" });
    const element = h(
        "nav",
        { class: "shell-tabs", hidden: true },
        h("p", { class: "rail-brand name", "aria-hidden": "true" }, createMark(), brand.name),
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
            set(due, "hidden", model.dueLabel === "");
            setText(dueText, model.dueLabel);
            setText(badgeText, model.open === 0 ? "" : `, ${model.openLabel}`);
        },
    };
}
