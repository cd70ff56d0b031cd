/** Reminders that are due. */

import { mountCare } from "./parts.js";

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export const mount = (root, context) => mountCare(root, context, "due");
