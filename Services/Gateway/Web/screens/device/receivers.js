/** The projects that receive the samples of a device or place: its owner has one receive them, and stops it. */

import { createField } from "../../components/field/field.js";
import { createForm } from "../../components/form/form.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { h } from "../../page/dom.js";
import { refill } from "../../page/refill.js";
import { secretOf } from "../../water/receivers.js";

/** @typedef {import("../../water/receivers.js").Sending} Sending */

/**
 * The section, which whoever shares the device sees where somebody receives.
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../water/tanks.js").Device} device
 */
export function createReceivers(context, device) {
    const { t, api, format } = context;
    const path = `/devices/${encodeURIComponent(device.id)}/sample-receivers`;
    const isOwner = device.role === "owner";
    const place = h("div", { "aria-live": "polite" });
    const element = h("section", { hidden: true }, h("h2", { class: "section-head" }, t("receivers.title")), place);
    let hasEnded = false;

    async function read() {
        try {
            const { data } = await api.get(path);
            show(data);
        } catch {
            // Without an answer nothing is said of them.
        }
    }

    /** @param {Sending[]} sendings */
    function show(sendings) {
        if (hasEnded) return;
        element.hidden = !isOwner && sendings.length === 0;
        refill(place, [createList(
            ...sendings.length === 0 ? [createRow({ name: t("receivers.none"), detail: t("receivers.none_text") }).element] : [],
            ...sendings.map((sending) =>
                createRow({
                    name: sending.project,
                    detail: t("receivers.since", { date: format.date(Date.parse(sending.since)) }),
                    icon: "people",
                    press: isOwner ? () => void end(sending) : undefined,
                }).element
            ),
            isOwner && createRow({ name: t("receivers.add"), icon: "plus", isAction: true, press: add }).element,
        )]);
    }

    function add() {
        const link = createField({ label: t("receivers.link"), name: "token" });
        link.input.setAttribute("autofocus", "");
        const form = createForm(context, {
            fields: [{ name: "token", field: link }],
            text: t("receivers.make"),
            busyText: t("receivers.making"),
            async submit() {
                const token = secretOf(link.value);
                if (token === null) return link.setFault({ what: t("receivers.link_missing") });
                const { data } = await api.post(path, { token });
                sheet.close();
                context.toast({ text: t("receivers.made", { project: data.project }) });
                await read();
            },
        });
        const sheet = context.sheet({ title: t("receivers.add"), lead: t("receivers.add_text"), body: [form] });
    }

    /** @param {Sending} sending */
    async function end({ id, project }) {
        const agrees = await context.confirm({
            title: t("receivers.end_title", { project }),
            text: t("receivers.end_text"),
            action: t("receivers.end"),
            isGrave: true,
        });
        if (!agrees) return;
        try {
            await api.delete(`/sample-receivers/${id}`);
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
        await read();
    }

    void read();
    return {
        element,
        remove() {
            hasEnded = true;
        },
    };
}
