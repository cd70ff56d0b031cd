/** An invitation into a project. */

import { joined } from "../../words/sentence.js";
import { senderInvitation } from "./sender.js";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {string} token
 * @returns {Promise<import("./join.js").Invitation>}
 */
export async function projectInvitation(context, token) {
    const { t, api, store } = context;
    const { data } = await api.post("/projects/invitations/look", { token }, { anonymous: true });
    if (data.role === "sender") return senderInvitation(context, token, data);
    return {
        name: data.name,
        state: data.state,
        lead: joined(
            context,
            t("projects.join_lead", { by: data.by, role: t(`projects.role_${data.role}`) }),
            t(`projects.may_${data.role}`),
            t("projects.join_tanks", { count: data.devices }),
        ),
        accept: t("projects.join"),
        fields: [],
        async join() {
            const { data: project } = await api.post("/projects/join", { token }, { once: true });
            await store.refresh();
            await context.navigate(`/settings/projects/${encodeURIComponent(project.id)}`, { replace: true });
        },
    };
}
