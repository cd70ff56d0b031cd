/** A field for a new password, which says the service's rule until it is met. */

import { createField } from "../field/field.js";

/** The service's own rule (the least number of code points). */
const least = 15;

/**
 * @param {Pick<import("../../app/context.js").Context, "t">} context
 * @param {{label: string, name: string}} model
 */
export function createNewPassword({ t }, { label, name }) {
    const field = createField({
        label,
        name,
        type: "password",
        autocomplete: "new-password",
        reveal: { show: t("start.show"), hide: t("start.hide") },
        onInput: hint,
    });
    hint();

    function hint() {
        const count = [...field.value].length;
        const isMet = count >= least;
        field.setHint(t(isMet ? "start.password_long" : "start.password_rule", { count, least }), isMet);
    }

    return {
        field,
        /** Whether it is long enough; else that is told at the field. */
        isLong() {
            const isMet = [...field.value].length >= least;
            if (!isMet) {
                field.setFault({ what: t("start.password_short"), todo: t("start.password_todo") });
                field.focus();
            }
            return isMet;
        },
    };
}
