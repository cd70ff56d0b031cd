/**
 * The page of a message's link, for whoever has it, signed in or not: it asks the service what the message was about and shows that alone.
 * Nothing is answered before a button is pressed.
 */

import { isLanguage, loadWords } from "../../lang/index.js";
import { h, set, setText } from "../../page/dom.js";
import { createFormat } from "../../words/format.js";
import { isProblem } from "../../words/problem.js";
import { createOnIt } from "../on-it/on-it.js";
import { createProblem, createStartPage } from "../page/page.js";
import { createSymbol } from "../symbol/symbol.js";

/** @typedef {import("../../words/format.js").Voice} Voice */

/**
 * @typedef {object} LinkState What the page shows, by how it stands.
 * @property {boolean} isAlarm
 * @property {Node[]} top
 * @property {string} headline
 * @property {string} lead
 * @property {import("../on-it/on-it.js").OnItModel | null} [onIt] Who sees to it.
 * @property {Node[]} body
 */

/**
 * @template {{language: string}} Told What the service tells, and in which language: that of whoever the link was sent to.
 * @template {string} Reply
 * @typedef {object} LinkModel
 * @property {string} token Empty: the link is incomplete.
 * @property {string} path Where replies are posted; below it, `look` only shows.
 * @property {string} title
 * @property {{text: (t: import("../../lang/index.js").Words) => string, href: string}} app The way into the app.
 * @property {(voice: Voice, told: Told, surroundings: Surroundings<Reply>) => LinkState} stateOf
 */

/**
 * @template {string} Reply
 * @typedef {object} Surroundings
 * @property {number} now
 * @property {boolean} isIn Whether somebody is signed in here.
 * @property {Reply | null} replied What was answered here to be told this.
 * @property {(reply: Reply) => Promise<void>} reply
 */

/**
 * @template {{language: string}} Told
 * @template {string} Reply
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 * @param {LinkModel<Told, Reply>} model
 */
export function createLinkPage(root, context, { token, path, title, app, stateOf }) {
    const { t, api, session } = context;
    context.title(title);
    const top = h("div", { class: "link-top" });
    const page = createStartPage({ top, title, lead: t("common.loading") });
    const [air, water] = page.parts;
    const onIt = createOnIt();
    const problem = createProblem({ text: t("common.retry"), press: () => void ask(null) });
    const body = h("div", { class: "link-body" });
    air.classList.add("link-air");
    page.lead.after(onIt.element);
    page.body.append(problem.element, body);
    root.replaceChildren(air, water);
    /** In the language of whoever the link was sent to. @type {Voice} */
    let voice = context;
    let isShown = false;
    let hasEnded = false;

    /** @param {Reply | null} answer null: only looks. */
    async function ask(answer) {
        problem.show("");
        try {
            const asked = answer === null ? api.post(`${path}/look`, { token }, { anonymous: true }) : api.post(path, { token, answer }, { anonymous: true });
            /** @type {{data: Told}} */
            const { data } = await asked;
            if (hasEnded) return;
            await speak(data.language);
            if (!hasEnded) show(stateOf(voice, data, { now: Date.now(), isIn: session.state.value === "in", replied: answer, reply }));
        } catch (error) {
            if (hasEnded) return;
            if (isProblem(error) && error.code === "link-expired") return show(without("ended"));
            if (isProblem(error) && error.code === "not-found") return show(without("unknown"));
            // What stands there may be pressed again.
            if (!isShown) setText(page.headline, isProblem(error) ? title : t("home.noAnswer"));
            if (!isShown) setText(page.lead, "");
            problem.show(context.explain(error));
        }
    }

    /** @param {Reply} answer */
    async function reply(answer) {
        await ask(answer);
        if (!hasEnded) page.headline.focus({ preventScroll: true });
    }

    /** @param {string} language */
    async function speak(language) {
        if (language === voice.t.language || !isLanguage(language)) return;
        const words = await loadWords(language);
        voice = { t: words, format: createFormat(language, context.format.zone, words) };
    }

    /**
     * A link that answers nothing: it has ended, or there is none.
     * @param {'ended' | 'unknown'} why
     * @returns {LinkState}
     */
    function without(why) {
        const link = h("a", { class: "button button-primary button-large", href: app.href }, app.text(voice.t));
        return { isAlarm: false, top: [], headline: voice.t(`answers.${why}`), lead: voice.t(`answers.${why}_text`), body: [link] };
    }

    /** @param {LinkState} state */
    function show(state) {
        isShown = true;
        for (const part of [air, water]) set(part, "lang", voice.t.language);
        set(air, "data-alarm", state.isAlarm);
        top.replaceChildren(...state.top);
        setText(page.headline, state.headline);
        setText(page.lead, state.lead);
        onIt.update(state.onIt ?? null);
        body.replaceChildren(...state.body);
    }

    if (token === "") show({ ...without("unknown"), lead: t("common.incomplete") });
    else void ask(null);
    return {
        end() {
            hasEnded = true;
        },
    };
}

/** The mark of what is answered, above the headline. */
export function createDone() {
    return h("span", { class: "link-disc" }, createSymbol("check"));
}
