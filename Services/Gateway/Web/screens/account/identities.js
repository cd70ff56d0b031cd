/** What lets a person in: the password, and who they are at the house's provider. */

import { dropLinkToken, linkToken } from "../../app/link-token.js";
import { sentenceOfReturn } from "../../app/provider-return.js";
import { provesByPassword } from "../../app/provider.js";
import { createField } from "../../components/field/field.js";
import { createForm } from "../../components/form/form.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { createNewPassword } from "../../components/password-form/new-password.js";
import { h } from "../../page/dom.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {import("../../app/provider.js").WaysIn} WaysIn */

/**
 * @param {Context} context
 * @param {WaysIn} ways
 * @param {() => void} changed
 * @param {() => void} leave Signs out here and at the provider.
 */
export function createWaysIn(context, ways, changed, leave) {
    const { t, api, format } = context;
    const { provider, identities, takesPasswords, hasPassword, signsOutThere } = ways;
    return createList(
        takesPasswords ? createRow({ name: t(hasPassword ? "account.password" : "account.password_first"), press: () => changePassword(context, ways, changed) }).element : null,
        ...identities.map((identity) =>
            createRow({
                name: identity.name ?? identity.issuer,
                detail: identity.isInUse ? t("account.identity_used", { at: format.at(Date.parse(identity.usedAt)) }) : t("account.identity_former"),
                icon: "link",
                press: () => unlink(identity),
            }).element
        ),
        provider ? createRow({ name: t("account.identity_link", { name: provider }), icon: "plus", isAction: true, press: link }).element : null,
        provider && signsOutThere ? createRow({ name: t("account.signOut_there", { name: provider }), isAction: true, press: leave }).element : null,
    );

    async function link() {
        try {
            const { data } = await api.post("/account/identities");
            location.assign(data.address);
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
    }

    /** @param {import("../../app/provider.js").Identity} identity */
    async function unlink({ id, name, issuer }) {
        const agrees = await context.confirm({
            title: t("account.identity_unlink_title", { name: name ?? issuer }),
            text: t("account.identity_unlink_text"),
            action: t("account.identity_unlink"),
            isGrave: true,
        });
        if (!agrees) return;
        try {
            await api.delete(`/account/identities/${id}`);
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
        changed();
    }
}

/**
 * Another password, or the first of somebody who has come in by the provider alone.
 * @param {Context} context
 * @param {WaysIn} ways
 * @param {() => void} changed
 */
function changePassword(context, { hasPassword }, changed) {
    const { t, api, store } = context;
    const current = hasPassword
        ? createField({
            label: t("account.password_current"),
            name: "current",
            type: "password",
            autocomplete: "current-password",
            reveal: { show: t("start.show"), hide: t("start.hide") },
        })
        : null;
    const next = createNewPassword(context, { label: t("account.password_new"), name: "new" }).field;
    const email = h("input", { type: "text", name: "email", autocomplete: "username", value: store.account.value?.email ?? "", hidden: true });
    const form = createForm(context, {
        fields: [...(current ? [{ name: "currentPassword", field: current }] : []), { name: "newPassword", field: next }],
        hidden: [email],
        text: t("common.save"),
        busyText: t("common.saving"),
        async submit() {
            await api.put("/account/password", { newPassword: next.value, ...(current ? { currentPassword: current.value } : {}) });
            sheet.close();
            context.toast({ text: t("account.password_done") });
            changed();
        },
        faultOf: ({ code, title }) => code === "wrong-password" ? { name: "currentPassword", what: title } : null,
    });
    const sheet = context.sheet({ title: t(hasPassword ? "account.password" : "account.password_first"), lead: t("account.password_text"), body: [form] });
}

/**
 * Tells what came of the way to the provider, which leads back here.
 * @param {Context} context
 */
export function tellReturn(context) {
    const text = sentenceOfReturn(context.t, linkToken());
    dropLinkToken();
    if (text !== "") context.toast({ text });
}

/**
 * Whether the account is closed by the password; else the person has just proven themselves.
 * @param {WaysIn | null} ways
 */
export function closesByPassword(ways) {
    return ways === null || provesByPassword(ways);
}
