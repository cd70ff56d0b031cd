/** An invitation to watch a device. */

import { createField } from "../../components/field/field.js";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {string} token
 * @returns {Promise<import("./join.js").Invitation>}
 */
export async function deviceInvitation(context, token) {
    const { t, api, store } = context;
    const { data } = await api.post("/invitations/look", { token }, { anonymous: true });
    const name = createField({ label: t("devices.name"), name: "name", value: data.deviceName, maxlength: 64 });
    return {
        name: data.deviceName,
        state: data.state,
        lead: t("join.lead"),
        accept: t("join.accept"),
        fields: [name.element],
        async join() {
            const { data: device } = await api.post("/invitations/accept", { token, name: name.value.trim() || data.deviceName }, { once: true });
            await store.refresh();
            store.choose(device.id);
            await context.navigate("/", { replace: true });
        },
    };
}
