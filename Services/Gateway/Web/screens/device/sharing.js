/** Who else watches a device, and the links by which people are invited. */

import { createList, createRow } from "../../components/list-row/list-row.js";
import { h } from "../../page/dom.js";
import { invite } from "./invite.js";

/** @typedef {import("../../app/context.js").Context} Context */

/**
 * @param {Context} context
 * @param {import("../../water/tanks.js").Device} device
 */
export function createSharing(context, device) {
    const { t, api, format } = context;
    const list = h("div", { "aria-live": "polite" });
    const element = h(
        "section",
        null,
        h("h2", { class: "section-head" }, t("sharing.title")),
        list,
        h("p", { class: "rows-note" }, t("sharing.note")),
    );
    let hasEnded = false;

    async function read() {
        try {
            const [watchers, invitations] = await Promise.all([
                api.get(`/devices/${device.id}/watchers`),
                api.get(`/devices/${device.id}/invitations`),
            ]);
            if (!hasEnded) show(watchers.data, invitations.data);
        } catch (error) {
            if (!hasEnded) list.replaceChildren(h("p", { class: "rows-note" }, context.explain(error)));
        }
    }

    /**
     * @param {{id: string, name: string, since: string}[]} watchers
     * @param {{id: string, state: string, expiresAt: string, readings: string}[]} invitations
     */
    function show(watchers, invitations) {
        const open = invitations.filter((invitation) => invitation.state === "open");
        list.replaceChildren(createList(
            ...watchers.map((watcher) =>
                createRow({
                    name: watcher.name,
                    detail: t("sharing.since", { date: format.date(Date.parse(watcher.since)) }),
                    icon: "person",
                    press: () => removeWatcher(watcher),
                }).element
            ),
            ...open.map((invitation) =>
                createRow({
                    name: t("sharing.open"),
                    detail: t("sharing.until", { date: format.placed(Date.parse(invitation.expiresAt)) }),
                    more: invitation.readings === "sinceAlarm" ? [t("sharing.alarm_shown")] : [],
                    icon: "link",
                    press: () => revoke(invitation),
                }).element
            ),
            createRow({ name: t("sharing.invite"), icon: "plus", isAction: true, press: () => invite(context, device, read) }).element,
        ));
    }

    /** @param {{id: string, name: string}} watcher */
    async function removeWatcher({ id, name }) {
        const agrees = await context.confirm({
            title: t("sharing.remove", { name }),
            text: t("sharing.remove_text"),
            action: t("sharing.remove_do"),
            isGrave: true,
        });
        if (agrees) await perform(`/devices/${device.id}/watchers/${id}`);
    }

    /** @param {{id: string}} invitation */
    async function revoke({ id }) {
        const agrees = await context.confirm({
            title: t("sharing.revoke"),
            text: t("sharing.revoke_text"),
            action: t("sharing.revoke_do"),
        });
        if (agrees) await perform(`/devices/${device.id}/invitations/${id}`);
    }

    /** @param {string} path */
    async function perform(path) {
        try {
            await api.delete(path);
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
        await read();
    }

    read();
    return {
        element,
        remove() {
            hasEnded = true;
        },
    };
}
