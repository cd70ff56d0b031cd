/** What the forms of a webhook's messages are called. */

/** Those that there are, as the service names them. */
export const formNames = ["standard", "cloudEvents", "alertmanager", "template"];

/** Names of their makers, the same in all languages. @type {Record<string, string>} */
const properNames = { cloudEvents: "CloudEvents", alertmanager: "Alertmanager" };

/**
 * @param {{t: import("../lang/index.js").Words}} context
 * @param {string} form
 */
export function nameOfForm({ t }, form) {
    if (!formNames.includes(form)) return t("notifications.form_other");
    return properNames[form] ?? t(`notifications.form_${form}`);
}
