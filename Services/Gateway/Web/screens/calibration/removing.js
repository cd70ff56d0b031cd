/** Taking an entry of a calibration log away. */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../app/calibrations.js").Calibrations} calibrations
 * @param {{device: string, parameter: string, id: string}} entry
 * @returns {Promise<boolean>} Whether the person agreed.
 */
export async function removeEntry({ t, confirm }, calibrations, { device, parameter, id }) {
    const agrees = await confirm({
        title: t("calibration.delete_title"),
        text: t("calibration.delete_text"),
        action: t("calibration.delete"),
        isGrave: true,
    });
    if (agrees) await calibrations.remove(device, parameter, id);
    return agrees;
}
