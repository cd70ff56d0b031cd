/** Accepting an invitation, to watch a device or into a project: what the link offers, then one button. */

import { createButton } from "../../components/button/button.js";
import { createProblem, createStartPage } from "../../components/page/page.js";
import { createMark } from "../../components/symbol/symbol.js";
import { h, setText } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { deviceInvitation } from "./device.js";
import { projectInvitation } from "./project.js";

const kept = "aqua-join";
/** How the secret of an invitation into a project begins. */
const intoProject = /^aqj_/;

/**
 * What an invitation of one kind offers, and how it is accepted.
 * @typedef {object} Invitation
 * @property {string} name
 * @property {'open' | 'used' | string} state
 * @property {string} lead
 * @property {string} accept
 * @property {Node[]} fields
 * @property {() => Promise<void>} join
 */

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, store, session } = context;
    context.title(t("join.title"));
    const token = tokenOf(location.hash);
    const { parts, headline, lead, body } = createStartPage({ top: createMark(), title: t("join.title"), lead: t("common.loading") });
    const problem = createProblem();
    let hasEnded = false;
    let endNote = () => {};
    body.append(problem.element);
    root.replaceChildren(...parts);

    const home = () => h("a", { class: "button button-large", href: "/" }, t("join.home"));

    async function look() {
        if (token === "") {
            lead.textContent = t("common.incomplete");
            return body.append(home());
        }
        try {
            const invitation = await (intoProject.test(token) ? projectInvitation : deviceInvitation)(context, token);
            headline.textContent = invitation.name;
            if (hasEnded) return;
            if (invitation.state !== "open") {
                forget();
                lead.textContent = t(invitation.state === "used" ? "join.used" : "join.over");
                return body.append(home());
            }
            offer(invitation);
        } catch (error) {
            lead.textContent = "";
            problem.show(context.explain(error));
            body.append(home());
        }
    }

    /** @param {Invitation} invitation */
    function offer(invitation) {
        lead.textContent = invitation.lead;
        if (session.state.value !== "in") {
            body.append(
                h("p", null, t("join.first")),
                h("a", { class: "button button-primary button-large", href: "/sign-in", onclick: remember }, t("start.signIn")),
                h("a", { class: "button button-text button-large", href: "/sign-up", onclick: remember }, t("start.signUp")),
            );
            return;
        }
        const button = createButton({
            text: invitation.accept,
            busyText: t("join.accepting"),
            kind: "primary",
            isLarge: true,
            press: async () => {
                problem.show("");
                try {
                    await invitation.join();
                    forget();
                } catch (error) {
                    problem.show(context.explain(error));
                }
            },
        });
        body.prepend(...invitation.fields);
        const note = h("p", { class: "start-note" });
        endNote = effect([store.account], () => {
            const you = store.account.value?.name;
            setText(note, you ? t("join.seenAs", { name: you }) : t("join.seen"));
        });
        body.append(button.element, note);
    }

    /** For after signing in; for this window alone. */
    function remember() {
        sessionStorage.setItem(kept, token);
    }

    look();
    return {
        unmount() {
            hasEnded = true;
            endNote();
        },
    };
}

/** @param {string} hash */
function tokenOf(hash) {
    return hash.slice(1) || (sessionStorage.getItem(kept) ?? "");
}

function forget() {
    sessionStorage.removeItem(kept);
}
