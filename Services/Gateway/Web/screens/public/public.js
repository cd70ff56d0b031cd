/** A page that its owner shows to everybody: values, how old they are, and their course, in the reader's language. Nobody is signed in for it. */

import { followLink } from "../../app/link-token.js";
import { createProblem, createStartPage } from "../../components/page/page.js";
import { createMark } from "../../components/symbol/symbol.js";
import { h, set, setText } from "../../page/dom.js";
import { elapsed, heardOf, isAllByHand, isOld, pageOf } from "../../water/public-page.js";
import { isProblem } from "../../words/problem.js";
import { createTank } from "./tank.js";

/** The page is read anew so often, where somebody looks. */
const interval = 60_000;
/** Ages are told anew so often. */
const beat = 15_000;

const moment = () => ({ steady: performance.now(), clock: Date.now() });

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, api, format } = context;
    // The secret stays in the address: whoever keeps the page keeps the way to it.
    const secret = location.hash.slice(1);
    const page = createStartPage({ top: createMark(), title: t("public.title"), lead: t("common.loading") });
    const [air, water] = page.parts;
    const problem = createProblem({ text: t("common.retry"), press: () => void read() });
    const body = h("div", { class: "public-tanks" });
    const note = h("p", { class: "rows-note", hidden: true }, t("public.note"));
    const printed = h("p", { class: "public-printed quiet" });
    air.classList.add("public-air");
    page.lead.after(printed);
    page.body.classList.add("public-column");
    page.body.append(problem.element, body, note);
    root.replaceChildren(air, water);
    const robots = h("meta", { name: "robots", content: "noindex" });
    document.head.append(robots);
    context.title(t("public.title"));
    /** @type {{page: import("../../water/public-page.js").Page, at: import("../../water/public-page.js").Moment} | null} The page, and when it came. */
    let shown = null;
    /** @type {ReturnType<typeof createTank>[]} */
    let tanks = [];
    let hasEnded = false;

    async function read() {
        if (secret === "") return missing(t("common.incomplete"));
        problem.show("");
        try {
            const { data } = await api.get(`/public/${encodeURIComponent(secret)}`, { anonymous: true });
            if (!hasEnded) show(pageOf(data));
        } catch (error) {
            if (hasEnded) return;
            if (isProblem(error) && error.status === 404) return missing(t("public.unknown_text"));
            // Values that stand there grow old in sight.
            if (!shown) setText(page.lead, "");
            problem.show(context.explain(error, "read"));
        }
    }

    /** @param {string} why */
    function missing(why) {
        shown = null;
        tanks = [];
        body.replaceChildren();
        set(note, "hidden", true);
        setText(printed, "");
        context.title(t("public.unknown"));
        setText(page.headline, t("public.unknown"));
        setText(page.lead, why);
    }

    /** @param {import("../../water/public-page.js").Page} next */
    function show(next) {
        const isSame = shown !== null && shown.page.tanks.length === next.tanks.length;
        shown = { page: next, at: moment() };
        setText(page.headline, next.title);
        context.title(next.title);
        if (!isSame) {
            tanks = next.tanks.map(() => createTank(context));
            body.replaceChildren(...tanks.map(({ element }) => element));
        }
        set(note, "hidden", false);
        setText(printed, t("public.printed", { at: `${format.date(next.readAt)}, ${format.clock(next.readAt)}` }));
        tell();
    }

    /** Says all ages by the service's clock: that of this device may be wrong. */
    function tell() {
        if (!shown) return;
        const { page: told, at } = shown;
        const now = told.readAt + elapsed(at, moment());
        const heard = heardOf(told);
        setText(
            page.lead,
            heard === null
                ? t("public.never")
                : isAllByHand(told)
                ? t("home.byHand", { ago: format.ago(heard, now) })
                : isOld(heard, now)
                ? t("public.silent", { span: format.brief(now - heard) })
                : t("public.heard", { ago: format.ago(heard, now) }),
        );
        tanks.forEach((tank, index) => tank.update(told, told.tanks[index], now));
    }

    const ages = setInterval(tell, beat);
    const readings = setInterval(() => document.hidden || void read(), interval);
    const seen = () => document.hidden || void read();
    document.addEventListener("visibilitychange", seen);
    const end = followLink(context.remount);
    void read();
    return {
        unmount() {
            hasEnded = true;
            clearInterval(ages);
            clearInterval(readings);
            document.removeEventListener("visibilitychange", seen);
            robots.remove();
            end();
        },
    };
}
