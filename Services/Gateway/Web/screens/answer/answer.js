/** One alert, for whoever has its link: what is the matter, and what to answer. Nothing is answered before a button is pressed. */

import { followLink, linkToken } from "../../app/link-token.js";
import { focusHeading } from "../../app/router.js";
import { createOnIt } from "../../components/on-it/on-it.js";
import { createProblem, createStartPage } from "../../components/page/page.js";
import { isLanguage, loadWords } from "../../lang/index.js";
import { h, set, setText } from "../../page/dom.js";
import { createFormat } from "../../words/format.js";
import { isProblem } from "../../words/problem.js";
import { stateOf, without } from "./states.js";

/** @typedef {import("./states.js").Told} Told */
/** @typedef {import("./states.js").LinkReply} LinkReply */
/** @typedef {import("./states.js").State} State */

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, api, session } = context;
    context.title(t("alerts.one"));
    const token = linkToken();
    const top = h("div", { class: "answer-top" });
    const page = createStartPage({ top, title: t("alerts.one"), lead: t("common.loading") });
    const [air, water] = page.parts;
    const onIt = createOnIt();
    const problem = createProblem({ text: t("common.retry"), press: () => void ask("/answers/look", { token }) });
    const body = h("div", { class: "answer-body" });
    air.classList.add("answer-air");
    page.lead.after(onIt.element);
    page.body.append(problem.element, body);
    root.replaceChildren(air, water);
    /** In the language of whoever the link was sent to. @type {import("../../words/format.js").Voice} */
    let voice = context;
    let isShown = false;
    let hasEnded = false;

    /**
     * @param {string} path
     * @param {object} sent
     */
    async function ask(path, sent) {
        problem.show("");
        try {
            /** @type {{data: Told}} */
            const { data } = await api.post(path, sent, { anonymous: true });
            if (hasEnded) return;
            await speak(data.language);
            if (!hasEnded) show(stateOf(voice, data, { now: Date.now(), isIn: session.state.value === "in", reply }));
        } catch (error) {
            if (hasEnded) return;
            if (isProblem(error) && error.code === "link-expired") return show(without(voice, "ended"));
            if (isProblem(error) && error.code === "not-found") return show(without(voice, "unknown"));
            // What stands there may be pressed again.
            if (!isShown) setText(page.headline, isProblem(error) ? t("alerts.one") : t("home.noAnswer"));
            if (!isShown) setText(page.lead, "");
            problem.show(context.explain(error));
        }
    }

    /** @param {LinkReply} answer */
    async function reply(answer) {
        await ask("/answers", { token, answer });
        if (!hasEnded) focusHeading(root);
    }

    /** @param {string} language */
    async function speak(language) {
        if (language === voice.t.language || !isLanguage(language)) return;
        const words = await loadWords(language);
        voice = { t: words, format: createFormat(language, context.format.zone, words) };
    }

    /** @param {State} state */
    function show(state) {
        isShown = true;
        for (const part of [air, water]) set(part, "lang", voice.t.language);
        set(air, "data-alarm", state.isAlarm);
        top.replaceChildren(...state.top);
        setText(page.headline, state.headline);
        setText(page.lead, state.lead);
        onIt.update(state.onIt);
        body.replaceChildren(...state.body);
    }

    if (token === "") show({ ...without(voice, "unknown"), lead: t("common.incomplete") });
    else void ask("/answers/look", { token });
    const end = followLink(context.remount);
    return {
        unmount() {
            hasEnded = true;
            end();
        },
    };
}
