/** Questions about a tank, one a page, and the limits that follow from the answers. */

import { createButton } from "../../components/button/button.js";
import { rememberVolume } from "../../components/entry/volume.js";
import { createProblem } from "../../components/page/page.js";
import { readPresets } from "../../components/presets/presets.js";
import { h, set, setText } from "../../page/dom.js";
import { answered, countOf, groupOf, nothingSaid } from "../../water/questions.js";
import { isProblem } from "../../words/problem.js";
import { createQuestionBar } from "./bar.js";
import { createKept } from "./kept.js";
import { createLimits } from "./limits.js";
import { createPlace } from "./place.js";
import { createVolume } from "./volume.js";

/** @typedef {import("../../water/questions.js").Answers} Answers */
/** @typedef {import("../../water/questions.js").Kept} Kept */

/**
 * Unsent answers, by account and device, with the version that it takes the place of: going away and coming back loses nothing, and
 * what is answered elsewhere meanwhile is not overwritten unseen.
 * @type {Map<string, {said: Answers, group: Kept, tag: string}>}
 */
const begun = new Map();

const last = 2;

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 * @param {Record<string, string>} params
 * @returns {import("../../app/context.js").Mounted}
 */
export function mount(root, context, { device }) {
    const { t, api, store } = context;
    const home = `/devices/${encodeURIComponent(device)}`;
    const place = `${home}/questionnaire`;
    const draft = () => `${store.account.value?.createdAt} ${device}`;
    /** The preset that was chosen when the device was just linked; null at any other time. */
    const linked = new URLSearchParams(location.search).get("linked");
    const bar = createQuestionBar(context, { back, skip: leave });
    const headline = h("h1", { class: "headline", tabindex: "-1" });
    const why = h("p", { class: "quiet" });
    const body = h("div", { class: "questions-body" });
    const problem = createProblem({ text: t("common.retry"), press: () => void load() });
    const refusal = createProblem();
    const button = createButton({ text: t("questions.next"), busyText: t("common.saving"), kind: "primary", isLarge: true, press: next });
    const water = h("div", { class: "page-water questions" }, headline, why, body, problem.element, refusal.element, button.element);
    root.replaceChildren(bar.element, water);
    context.title(t("questions.title"));
    bar.update(null);
    ground("single");
    set(button.element, "hidden", true);

    /** @type {Answers} */
    let said = nothingSaid;
    /** @type {Kept} */
    let group = null;
    /** The version that the answers replace. */
    let tag = "";
    let step = 0;
    let isGone = false;
    /** @type {readonly import("../../water/presets.js").Preset[]} */
    let presets = [];
    /** @type {readonly import("../../water/questions.js").Species[]} */
    let species = [];
    /** @type {ReturnType<typeof createLimits> | null} */
    let limits = null;
    /** @type {ReturnType<typeof createVolume> | null} */
    let volume = null;

    async function load() {
        problem.show("");
        try {
            // Whoever comes by an address is here before the devices are known: what a watcher may not answer is not asked.
            if (!store.deviceOf(device)) await store.refresh();
            const [told, kinds, living] = await Promise.all([api.get(place), readPresets(context), api.get("/species")]);
            if (isGone) return;
            [presets, species] = [kinds.filter(({ own }) => !own), living.data];
            bar.setName(store.deviceOf(device)?.name ?? "");
            if (store.deviceOf(device)?.role === "watcher") return propose(told.data);
            const before = begun.get(draft());
            said = before?.said ?? told.data.answers;
            tag = before?.tag ?? told.tag ?? "";
            if (!before && said.kind === null && presets.some(({ id }) => id === linked)) said = { ...said, kind: linked };
            group = before?.group ?? groupOf(said.kind) ?? (told.data.version > 0 ? "none" : null);
            show();
        } catch (error) {
            if (!isGone) problem.show(context.explain(error, "read"));
        }
    }

    /** @param {Partial<Answers>} change */
    function say(change) {
        said = answered(said, change);
        remember();
    }

    /** @param {Kept} next */
    function choose(next) {
        group = next;
        remember();
    }

    function remember() {
        begun.set(draft(), { said, group, tag });
    }

    /** A question is a subject of its own; the limits are several. @param {"single" | "water"} name */
    function ground(name) {
        for (const one of ["single", "water"]) water.classList.toggle(one, one === name);
    }

    function mark() {
        const isBoth = step === last && said.outdoors === true;
        bar.update({ first: step + 1, last: step + (isBoth ? 2 : 1), count: countOf(said) });
    }

    function show() {
        limits?.end();
        limits = null;
        volume = null;
        ground("single");
        const model = { said: () => said, say };
        const asked = /** @type {const} */ (["kept", "volume", "place"])[step];
        setText(headline, t(`questions.${asked}`));
        setText(why, t(`questions.${asked}_why`));
        body.replaceChildren(...(asked === "kept"
            ? createKept(context, { ...model, presets, species, group: () => group, choose })
            : asked === "volume"
            ? (volume = createVolume(context, model)).parts
            : createPlace(context, { ...model, onChange: mark })));
        refusal.show("");
        button.setText(t(step === last ? "questions.propose" : "questions.next"));
        set(button.element, "hidden", null);
        mark();
        headline.focus();
    }

    function back() {
        if (limits === null && step === 0 || store.deviceOf(device)?.role === "watcher") return linked === null ? context.back(home) : leave();
        if (limits === null) step -= 1;
        show();
    }

    /** Past all that is left; what was answered is there when somebody comes back. */
    function leave() {
        void context.navigate(linked === null ? home : "/", { replace: true });
    }

    /** @returns {void | Promise<void>} */
    function next() {
        if (volume?.isFine() === false) return;
        if (step === last) return send();
        step += 1;
        show();
    }

    /** What probes measure is known of the device, and not asked. */
    function measured() {
        const readings = store.latest.value.get(device);
        return readings && readings.size > 0 ? [...readings.keys()] : null;
    }

    async function send() {
        refusal.show("");
        try {
            const { data, tag: now } = await api.put(place, { ...said, probes: measured() ?? said.probes }, { ifMatch: tag });
            if (isGone) return;
            tag = now ?? tag;
            begun.delete(draft());
            if (said.litres !== null) rememberVolume(context, device, said.litres);
            propose(data);
        } catch (error) {
            if (isGone) return;
            if (isProblem(error) && error.status === 412) {
                // What was said here stays; sent again it takes the place of what was said elsewhere.
                tag = (await api.get(place).catch(() => null))?.tag ?? tag;
                remember();
                refusal.show(t("questions.elsewhere"));
            } else refusal.show(context.explain(error));
        }
    }

    /** @param {import("../../water/questions.js").Told} told */
    function propose(told) {
        limits?.end();
        limits = createLimits(context, { device, told, species, onStale: proposeAgain });
        bar.update(null);
        ground("water");
        refusal.show("");
        setText(headline, t("questions.limits"));
        setText(why, t(told.proposals.length > 0 ? "questions.limits_lead" : "questions.limits_none"));
        body.replaceChildren(...limits.parts);
        set(button.element, "hidden", true);
        headline.focus();
    }

    /** What follows beside the limits that somebody has set meanwhile. */
    async function proposeAgain() {
        try {
            const { data } = await api.get(place);
            if (isGone) return;
            propose(data);
            refusal.show(t("questions.changed"));
        } catch (error) {
            if (!isGone) refusal.show(context.explain(error));
        }
    }

    void load();
    return {
        unmount() {
            isGone = true;
            limits?.end();
        },
    };
}
