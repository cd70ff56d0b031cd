/** The field for the e-mail address of an account. */

import { createField } from "../../components/field/field.js";

/** What was typed at one screen, for another: held by this page alone. */
let carried = "";

/** @param {string} address */
export function carryAddress(address) {
    carried = address;
}

export function carriedAddress() {
    return carried;
}

/**
 * @param {Pick<import("../../app/context.js").Context, "t">} context
 * @param {string} [value]
 */
export function createAddress({ t }, value) {
    const field = createField({
        label: t("start.email"),
        name: "email",
        type: "email",
        autocomplete: "username",
        inputmode: "email",
        value,
    });
    return {
        field,
        get text() {
            return field.value.trim();
        },
        /** Whether it may be one; else that is told at the field. */
        isThere() {
            const isMet = /.@./.test(field.value.trim());
            if (!isMet) {
                field.setFault({ what: t("start.email_missing"), todo: t("start.email_todo") });
                field.focus();
            }
            return isMet;
        },
    };
}
