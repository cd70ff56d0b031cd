/** Accepting an invitation to watch a device: what the link offers, then one button. */

import { createButton } from "../../components/button/button.js";
import { createField } from "../../components/field/field.js";
import { createProblem, createStartPage } from "../../components/page/page.js";
import { createMark } from "../../components/symbol/symbol.js";
import { h, setText } from "../../page/dom.js";
import { effect } from "../../page/signals.js";

const kept = "aqua-join";

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, api, store, session } = context;
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
            const { data } = await api.post("/invitations/look", { token }, { anonymous: true });
            headline.textContent = data.deviceName;
            if (hasEnded) return;
            if (data.state !== "open") {
                forget();
                lead.textContent = t(data.state === "used" ? "join.used" : "join.over");
                return body.append(home());
            }
            offer(data.deviceName);
        } catch (error) {
            lead.textContent = "";
            problem.show(context.explain(error));
            body.append(home());
        }
    }

    /** @param {string} deviceName */
    function offer(deviceName) {
        lead.textContent = t("join.lead");
        if (session.state.value !== "in") {
            body.append(
                h("p", null, t("join.first")),
                h("a", { class: "button button-primary button-large", href: "/sign-in", onclick: remember }, t("start.signIn")),
                h("a", { class: "button button-text button-large", href: "/sign-up", onclick: remember }, t("start.signUp")),
            );
            return;
        }
        const name = createField({ label: t("devices.name"), name: "name", value: deviceName, maxlength: 64 });
        const button = createButton({
            text: t("join.accept"),
            busyText: t("join.accepting"),
            kind: "primary",
            isLarge: true,
            press: async () => {
                problem.show("");
                try {
                    const { data } = await api.post("/invitations/accept", {
                        token,
                        name: name.value.trim() || deviceName,
                    }, { once: true });
                    forget();
                    await store.refresh();
                    store.choose(data.id);
                    await context.navigate("/", { replace: true });
                } catch (error) {
                    problem.show(context.explain(error));
                }
            },
        });
        body.prepend(name.element);
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
