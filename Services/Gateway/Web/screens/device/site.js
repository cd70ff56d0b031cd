/** The place at which a device stands, and the devices that stand at a place. */

import { createList, createRow } from "../../components/list-row/list-row.js";
import { createChoices } from "../../components/picker/choice.js";
import { h } from "../../page/dom.js";
import { standingAt, sitesFor } from "../../water/sites.js";
import { isProblem } from "../../words/problem.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {import("../../water/tanks.js").Device} Device */

/** The choice of no place. */
const none = "";

/**
 * @param {Context} context
 * @param {Device} device One that measures.
 * @returns {HTMLElement[]} None where there is nothing to see or to say.
 */
export function createStanding(context, device) {
    const { t, format } = context;
    const { site = null } = device;
    if (device.role !== "owner" && !site) return [];
    const row = createRow({
        name: t("sites.at"),
        value: site ? t("sites.at_since", { name: site.name, time: format.day(Date.parse(site.since)) }) : t("sites.at_none"),
        detail: site ? "" : t("sites.at_text"),
        press: device.role === "owner" ? () => ask(context, device) : undefined,
    });
    return [createList(row.element)];
}

/**
 * @param {Context} context
 * @param {Device} device
 */
function ask(context, device) {
    const { t, api, store } = context;
    const path = `/devices/${encodeURIComponent(device.id)}/site`;
    const sites = sitesFor(store.devices.value ?? [], device);
    const present = device.site?.id ?? none;
    const problem = h("p", { class: "field-fault", role: "status" });
    const choices = createChoices({
        label: t("sites.at_ask"),
        options: [{ value: none, text: t("sites.at_none") }, ...sites.map(({ id, name }) => ({ value: id, text: name }))],
        value: present,
        onChoose: (value) => void choose(value),
    });
    const sheet = context.sheet({
        title: t("sites.at_ask"),
        lead: t(sites.length > 0 ? "sites.at_text" : "sites.at_alone"),
        body: [choices.element, problem],
    });

    /** @param {string} id */
    async function choose(id) {
        if (id === present) return sheet.close();
        try {
            if (id === none) await api.delete(path);
            else await api.put(path, { site: id });
            sheet.close();
            await store.refresh();
        } catch (error) {
            problem.textContent = (isProblem(error) ? error.faultOf("site")?.detail : null) ?? context.explain(error);
        }
    }
}

/**
 * @param {Context} context
 * @param {Device} site
 * @returns {HTMLElement[]}
 */
export function createStandingHere({ t, store }, site) {
    const here = standingAt(store.devices.value ?? [], site.id);
    if (here.length === 0) return [];
    return [
        h("h2", { class: "section-head" }, t("sites.here")),
        createList(...here.map(({ id, name }) => createRow({ name, href: `/devices/${encodeURIComponent(id)}` }).element)),
    ];
}
