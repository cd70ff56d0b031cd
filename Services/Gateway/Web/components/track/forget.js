/** All positions of a device are deleted, once its owner has said so twice. */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {string} id Of a device that the person owns.
 * @returns {Promise<boolean>} Whether they are gone.
 */
export async function forgetTrack(context, id) {
    const { api, t, store } = context;
    const agrees = await context.confirm({ title: t("track.delete_title"), text: t("track.delete_text"), action: t("track.delete"), isGrave: true });
    if (!agrees) return false;
    try {
        await api.delete(`/devices/${encodeURIComponent(id)}/track`);
    } catch (error) {
        context.toast({ text: context.explain(error) });
        return false;
    }
    context.toast({ text: t("track.deleted") });
    void store.refresh().catch(() => {});
    return true;
}
