/** Personal tokens: with which a person's programs act for them. */

import { createButton } from "../../components/button/button.js";
import { createField } from "../../components/field/field.js";
import { createProblem } from "../../components/page/page.js";
import { createChoices } from "../../components/picker/choice.js";
import { showSecret } from "../../components/secret/secret.js";
import { wordOf } from "../../lang/index.js";
import { h } from "../../page/dom.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {typeof scopes[number]} Scope */

/** What a token may do. */
const scopes = /** @type {const} */ (["read", "write", "samples.read", "samples.write"]);

/**
 * The words for what a token may do: their name has an underscore in place of a full stop.
 * @param {import("../../lang/index.js").Words} t
 * @param {string} scope
 */
export const scopeText = (t, scope) => wordOf(t, "account.scope", scope.replace(".", "_"));

/**
 * @typedef {object} Token
 * @property {string} id
 * @property {string} name
 * @property {Scope} scope
 * @property {string} lastFour
 * @property {string} createdAt
 * @property {string | null} expiresAt
 * @property {string | null} usedOn
 * @property {boolean} hasExpired
 */

/**
 * @param {Context} context
 * @param {() => void} changed
 */
export function addToken(context, changed) {
    const { t, api } = context;
    /** @type {Scope} */
    let scope = "read";
    const name = createField({ label: t("account.token_name"), name: "name", placeholder: "Home Assistant", maxlength: 64 });
    name.input.setAttribute("autofocus", "");
    const choice = createChoices({
        label: t("account.scope"),
        options: scopes.map((value) => ({ value, text: scopeText(t, value) })),
        value: scope,
        onChoose(value) {
            scope = /** @type {Scope} */ (value);
            choice.show(value);
        },
    });
    const problem = createProblem();
    const button = createButton({ text: t("account.token_make"), busyText: t("common.saving"), kind: "primary", isSubmit: true });
    const form = h("form", { class: "form", novalidate: true }, name.element, choice.element, problem.element, button.element);
    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (button.isBusy) return;
        problem.show("");
        if (name.value.trim() === "") {
            name.setFault({ what: t("account.token_nameMissing") });
            return name.focus();
        }
        button.setBusy(true);
        try {
            const { data } = await api.post("/tokens", { name: name.value.trim(), scope }, { once: true });
            sheet.close();
            changed();
            showSecret(context, data.token, t("account.token_text"));
        } catch (error) {
            problem.show(context.explain(error));
        } finally {
            button.setBusy(false);
        }
    });
    const sheet = context.sheet({ title: t("account.addToken"), body: [form] });
}

/**
 * @param {Context} context
 * @param {Token} token
 * @param {() => void} changed
 */
export async function openToken(context, token, changed) {
    const { t, api, format } = context;
    const used = token.usedOn ? t("account.token_used", { date: format.date(Date.parse(token.usedOn)) }) : t("account.token_unused");
    const agrees = await context.confirm({
        title: t("account.revoke_title", { name: token.name }),
        text: `${t("account.token_made", { date: format.date(Date.parse(token.createdAt)) })} ${used} ${t("account.revoke_text")}`,
        action: t("account.revoke"),
        isGrave: true,
    });
    if (!agrees) return;
    try {
        await api.delete(`/tokens/${token.id}`);
    } catch (error) {
        context.toast({ text: context.explain(error) });
    }
    changed();
}
