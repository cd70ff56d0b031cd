/** The samples that a project receives of others: of which tanks and places, which came, and as tables. */

import { createTables } from "../../../app/field/tables.js";
import { createList, createRow } from "../../../components/list-row/list-row.js";
import { createSelect } from "../../../components/select/select.js";
import { h } from "../../../page/dom.js";
import { refill } from "../../../page/refill.js";
import { isAdministrator } from "../../../water/projects.js";
import { createReceivedList } from "./received-list.js";

/** @typedef {import("../../../water/receivers.js").Sending} Sending */

/**
 * The section, which stands while its project is shown.
 * @param {import("../../../app/context.js").Context} context
 */
export function createReceived(context) {
    const { t, api, format } = context;
    const place = h("div", { "aria-live": "polite" });
    const tables = h("details", { class: "field-csv", hidden: true });
    /** @type {ReturnType<typeof createReceivedList> | null} */
    let list = null;
    let project = "";
    let hasEnded = false;

    async function read() {
        const asked = project;
        try {
            const { data } = await api.get("/field-samples/senders", { project: asked });
            if (asked === project) show(data);
        } catch {
            // Without an answer nothing is said of them.
        }
    }

    /** @param {Sending[]} sendings */
    function show(sendings) {
        if (hasEnded) return;
        refill(place, [
            createList(
                ...sendings.length === 0 ? [createRow({ name: t("receivers.none"), detail: t("receivers.nobody") }).element] : [],
                ...sendings.map((sending) =>
                    createRow({
                        name: t("receivers.of", { device: sending.device, owner: sending.owner }),
                        detail: t("receivers.since", { date: format.date(Date.parse(sending.since)) }),
                        press: () => void drop(sending),
                    }).element
                ),
            ),
        ]);
        tables.replaceChildren(h("summary", null, t("field.csv")), ...tablesOf(sendings));
        tables.hidden = false;
    }

    /**
     * Tables of one device or place, or of all: samples that WQX would not take hold up those of their own place alone.
     * @param {Sending[]} sendings
     */
    function tablesOf(sendings) {
        /** @type {Record<string, string>} */
        const query = {};
        const choice = createSelect({
            label: t("receivers.which"),
            options: [{ value: "", text: t("journal.all_tanks") }, ...sendings.map(({ device }) => ({ value: device, text: device }))],
            choose(device) {
                if (device === "") delete query.device;
                else query.device = device;
            },
        });
        return [choice.element, createTables(context, "/field-samples/received.csv", "received", { project, query })];
    }

    /** @param {Sending} sending */
    async function drop({ id, device }) {
        const agrees = await context.confirm({
            title: t("receivers.drop_title", { device }),
            text: t("receivers.drop_text"),
            action: t("receivers.end"),
            isGrave: true,
        });
        if (!agrees) return;
        try {
            await api.delete(`/sample-receivers/${id}`, { project });
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
        await read();
    }

    return {
        /**
         * @param {import("../../../water/projects.js").Project} of
         * @returns {HTMLElement[]} Nothing for whoever does not act for it.
         */
        of({ id, role }) {
            if (!isAdministrator(role)) return [];
            if (project !== id) {
                project = id;
                list?.remove();
                list = createReceivedList(context, id);
                void read();
            }
            return [h("h2", { class: "section-head" }, t("receivers.others")), place, ...list ? [list.element] : [], tables];
        },
        remove() {
            hasEnded = true;
            list?.remove();
        },
    };
}
