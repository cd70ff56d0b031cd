/** Opening an account, as far as whoever runs the service lets people. */

import { createButton } from "../../components/button/button.js";
import { createField } from "../../components/field/field.js";
import { createBack, createProblem, createStartPage } from "../../components/page/page.js";
import { createNewPassword } from "../../components/password-form/new-password.js";
import { h } from "../../page/dom.js";
import { isProblem } from "../../words/problem.js";
import { createAddress } from "./address.js";
import { createLanguageChoice } from "./language.js";

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, api, session } = context;
    context.title(t("start.create"));
    const email = createAddress(context);
    const password = createNewPassword(context, { label: t("start.password"), name: "password" });
    const invitation = createField({ label: t("start.invitation"), name: "invitation", value: location.hash.slice(1) });
    const problem = createProblem();
    const button = createButton({
        text: t("start.signUp"),
        busyText: t("start.signingUp"),
        kind: "primary",
        isLarge: true,
        isSubmit: true,
    });
    const form = h(
        "form",
        { class: "form", novalidate: true },
        email.field.element,
        password.field.element,
        invitation.element,
        problem.element,
        button.element,
    );
    let needsInvitation = invitation.value !== "";
    invitation.element.hidden = !needsInvitation;

    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (button.isBusy) return;
        problem.show("");
        if (!email.isThere() || !password.isLong()) return;
        if (needsInvitation && invitation.value.trim() === "") {
            invitation.setFault({ what: t("start.invitation_missing"), todo: t("start.invitation_todo") });
            return invitation.focus();
        }
        button.setBusy(true);
        try {
            await open();
        } catch (error) {
            show(error);
        } finally {
            button.setBusy(false);
        }
    });

    async function open() {
        const address = email.text;
        await api.post("/accounts", {
            email: address,
            password: password.field.value,
            language: t.language,
            timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
            ...(needsInvitation ? { invitation: invitation.value.trim() } : {}),
        }, { anonymous: true });
        try {
            await session.signIn(address, password.field.value);
        } catch (error) {
            // Only whoever has the password learns whether the address had an account before.
            if (!isProblem(error) || error.code !== "wrong-credentials") throw error;
            email.field.setFault({ what: t("start.taken"), todo: t("start.taken_todo") });
            email.field.focus();
        }
    }

    /** @param {unknown} error */
    function show(error) {
        if (!isProblem(error)) return problem.show(context.explain(error));
        const fields = { email: email.field, password: password.field, invitation };
        let isShown = false;
        for (const fault of error.faults) {
            const field = fields[/** @type {keyof typeof fields} */ (fault.field)];
            if (!field) continue;
            field.setFault({ what: fault.detail });
            if (!isShown) field.focus();
            isShown = true;
        }
        if (error.code === "invitation-not-valid") {
            invitation.setFault({ what: error.title, todo: error.detail });
            invitation.focus();
        } else if (!isShown) problem.show(context.explain(error));
    }

    const page = createStartPage({ top: createBack(context, "/sign-in"), title: t("start.create"), lead: t("start.create_lead") });
    page.body.append(
        form,
        h("p", { class: "start-note" }, t("start.note")),
        h("div", { class: "links" }, h("a", { href: "/sign-in" }, t("start.haveAccount"))),
        createLanguageChoice(context),
    );
    root.replaceChildren(...page.parts);
    api.get("/service", { anonymous: true }).then(({ data }) => {
        needsInvitation = data.signUp === "invitation";
        invitation.element.hidden = !needsInvitation;
        if (data.signUp !== "closed") return;
        form.hidden = true;
        page.lead.textContent = t("start.closed");
    }, (error) => problem.show(context.explain(error)));
    return { unmount() {} };
}
