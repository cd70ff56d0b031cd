/** Opening an account, as far as whoever runs the service lets people. */

import { createButton } from "../../components/button/button.js";
import { createField } from "../../components/field/field.js";
import { createBack, createProblem } from "../../components/page/page.js";
import { h } from "../../page/dom.js";
import { isProblem } from "../../words/problem.js";
import { createLanguageChoice } from "./language.js";

/** The service's own rule (the least number of code points). */
const leastPassword = 15;

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, api, session } = context;
    context.title(t("start.create"));
    const lead = h("p", { class: "quiet" }, t("start.create_lead"));
    const email = createField({
        label: t("start.email"),
        name: "email",
        type: "email",
        autocomplete: "username",
        inputmode: "email",
    });
    const password = createField({
        label: t("start.password"),
        name: "password",
        type: "password",
        autocomplete: "new-password",
        reveal: { show: t("start.show"), hide: t("start.hide") },
        onInput: hint,
    });
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
        email.element,
        password.element,
        invitation.element,
        problem.element,
        button.element,
    );
    let needsInvitation = invitation.value !== "";
    invitation.element.hidden = !needsInvitation;
    hint();

    function hint() {
        const count = [...password.value].length;
        const isMet = count >= leastPassword;
        password.setHint(t(isMet ? "start.password_long" : "start.password_rule", { count, least: leastPassword }), isMet);
    }

    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (button.isBusy) return;
        problem.show("");
        if (!/.@./.test(email.value.trim())) {
            email.setFault({ what: t("start.email_missing"), todo: t("start.email_todo") });
            return email.focus();
        }
        if ([...password.value].length < leastPassword) {
            password.setFault({ what: t("start.password_short"), todo: t("start.password_todo") });
            return password.focus();
        }
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
        const address = email.value.trim();
        await api.post("/accounts", {
            email: address,
            password: password.value,
            language: t.language,
            timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
            ...(needsInvitation ? { invitation: invitation.value.trim() } : {}),
        }, { anonymous: true });
        try {
            await session.signIn(address, password.value);
        } catch (error) {
            // Only whoever has the password learns whether the address had an account before.
            if (!isProblem(error) || error.code !== "wrong-credentials") throw error;
            email.setFault({ what: t("start.taken"), todo: t("start.taken_todo") });
            email.focus();
        }
    }

    /** @param {unknown} error */
    function show(error) {
        if (!isProblem(error)) return problem.show(context.explain(error));
        const fields = { email, password, invitation };
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

    root.replaceChildren(
        h(
            "div",
            { class: "air start-air" },
            h(
                "div",
                { class: "column" },
                createBack(context, "/sign-in"),
                h("h1", { class: "headline", tabindex: "-1" }, t("start.create")),
                lead,
            ),
        ),
        h(
            "div",
            { class: "water start-water" },
            h(
                "div",
                { class: "column" },
                form,
                h("p", { class: "start-note" }, t("start.note")),
                h("div", { class: "links" }, h("a", { href: "/sign-in" }, t("start.haveAccount"))),
                createLanguageChoice(context),
            ),
        ),
    );
    api.get("/service", { anonymous: true }).then(({ data }) => {
        needsInvitation = data.signUp === "invitation";
        invitation.element.hidden = !needsInvitation;
        if (data.signUp !== "closed") return;
        form.hidden = true;
        lead.textContent = t("start.closed");
    }, (error) => problem.show(context.explain(error)));
    return { unmount() {} };
}
