/**
 * The sheets of the home screen: another device, what else can be done, what to check.
 */

import { act, actingAs } from "../../app/acting.js";
import { deviceModel } from "../../components/device-card/device-model.js";
import { createIcon, createShape } from "../../components/shape/shape.js";
import { h } from "../../page/dom.js";
import { isAdministrator } from "../../water/projects.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {import("../../water/headline.js").Tank} Tank */

/** @param {Context} context */
export function chooseDevice(context) {
    const { store, t, navigate } = context;
    const now = Date.now();
    const current = store.current.value;
    const rows = (store.tanks.value ?? []).map((tank) => {
        const device = deviceModel(context, tank, now, tank.id === current?.id);
        return h(
            "li",
            null,
            h(
                "button",
                {
                    class: "menu-row",
                    type: "button",
                    "aria-pressed": device.isCurrent ? "true" : "false",
                    onclick: () => {
                        store.choose(tank.id);
                        sheet.close();
                        if (location.pathname !== "/") void navigate("/");
                    },
                },
                h("span", { class: "menu-row-shape" }, device.isWaiting ? null : createShape(device.shape ?? "fine")),
                h("span", { class: "menu-row-text" }, h("span", { class: "menu-row-name" }, device.name), h("span", { class: "small quiet" }, device.state)),
            ),
        );
    });
    const link = h(
        "li",
        null,
        h(
            "a",
            { class: "menu-row menu-row-link", href: "/devices/link", onclick: () => sheet.close() },
            h("span", { class: "menu-row-text" }, t("home.empty_link")),
            createIcon("chevronRight", "icon-small"),
        ),
    );
    const all = rows.length < 2 ? null : h(
        "li",
        null,
        h(
            "a",
            { class: "menu-row", href: "/tanks", onclick: () => sheet.close() },
            h("span", { class: "menu-row-shape" }),
            h("span", { class: "menu-row-text" }, h("span", { class: "menu-row-name" }, t("home.all"))),
            h("span", { class: "small quiet" }, String(rows.length)),
        ),
    );
    const sheet = context.sheet({ title: t("home.choose"), body: [...whomFor(context), h("ul", { class: "menu" }, all, rows, link)] });
}

/**
 * For whom the person acts, and for whom else they may: themselves, and the projects that they look after.
 * @param {Context} context
 */
function whomFor({ store, t }) {
    const present = actingAs();
    /** @type {Map<string, string>} */
    const projects = new Map(present ? [[present.id, present.name]] : []);
    for (const { project } of store.devices.value ?? []) if (project && isAdministrator(project.role)) projects.set(project.id, project.name);
    if (projects.size === 0) return [];
    const options = [{ id: "", name: t("home.forYou") }, ...[...projects].map(([id, name]) => ({ id, name }))];
    return [h(
        "div",
        { class: "segmented menu-whom", role: "group", "aria-label": t("home.for") },
        options.map(({ id, name }) =>
            h("button", {
                type: "button",
                "aria-pressed": String(id === (present?.id ?? "")),
                onclick: () => id !== (present?.id ?? "") && act(id === "" ? null : { id, name }),
            }, name)
        ),
    )];
}

/**
 * @param {Context} context
 * @param {Tank} tank
 * @param {() => void} editOrder
 */
export function showMenu(context, tank, editOrder) {
    const { t } = context;
    let isEditing = false;
    const first = tank.gauges.find((gauge) => gauge.value !== null) ?? tank.gauges[0];
    const sheet = context.sheet({
        title: tank.name,
        body: [
            h(
                "ul",
                { class: "menu" },
                tank.isLookedAt ? null : h(
                    "li",
                    null,
                    h("button", {
                        class: "menu-row",
                        type: "button",
                        onclick: () => {
                            isEditing = true;
                            sheet.close();
                        },
                    }, h("span", { class: "menu-row-text" }, t("home.more_order"))),
                ),
                h("li", null, row(`/devices/${encodeURIComponent(tank.id)}`, t("home.more_device"))),
                h("li", null, row(`/devices/${encodeURIComponent(tank.id)}/chain`, t("chain.title"))),
                tank.isLookedAt ? null : h("li", null, row(`/devices/${encodeURIComponent(tank.id)}/test`, t("byHand.title"))),
                first ? h("li", null, row("/settings", t("home.more_settings"))) : null,
            ),
        ],
        // The focus goes to the first handle once the sheet has given it back.
        onClose: () => isEditing && editOrder(),
    });

    /**
     * @param {string} href
     * @param {string} text
     */
    function row(href, text) {
        return h(
            "a",
            { class: "menu-row", href, onclick: () => sheet.close() },
            h("span", { class: "menu-row-text" }, text),
            createIcon("chevronRight", "icon-small"),
        );
    }
}

/** @param {Context} context */
export function showChecks({ t, sheet }) {
    sheet({
        title: t("home.check_title"),
        body: [
            h(
                "ol",
                { class: "home-checks" },
                h("li", null, t("home.check_power")),
                h("li", null, t("home.check_wifi")),
                h("li", null, t("home.check_restart")),
            ),
        ],
    });
}
