/** A project that asks for field samples: whoever takes the link up sends those of one of their tanks or places. */

import { createSelect } from "../../components/select/select.js";
import { h } from "../../page/dom.js";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {string} token
 * @param {{name: string, by: string, state: string}} offer
 * @returns {Promise<import("./join.js").Invitation>}
 */
export async function senderInvitation({ t, api, store, session, navigate, toast }, token, { name, by, state }) {
    if (session.state.value === "in" && store.devices.value === undefined) await store.refresh().catch(() => {});
    const own = (store.devices.value ?? []).filter(({ role }) => role === "owner");
    let device = own[0]?.id ?? "";
    const select = createSelect({
        label: t("receivers.which"),
        options: own.map(({ id, name }) => ({ value: id, text: name })),
        choose: (value) => device = value,
    });
    return {
        name,
        state,
        lead: t("receivers.lead", { by }),
        accept: t(own.length > 0 ? "receivers.accept" : "devices.title"),
        fields: own.length > 0 ? [select.element] : [h("p", null, t("receivers.alone"))],
        async join() {
            if (device === "") return navigate("/devices", { replace: true });
            const { data } = await api.post(`/devices/${encodeURIComponent(device)}/sample-receivers`, { token });
            toast({ text: t("receivers.made", { project: data.project }) });
            await navigate(`/devices/${encodeURIComponent(device)}`, { replace: true });
        },
    };
}
