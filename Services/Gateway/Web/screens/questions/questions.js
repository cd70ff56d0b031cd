/** Questions about a tank, one a page, and the limits that follow from the answers. */

import { createButton } from "../../components/button/button.js";
import { rememberVolume } from "../../components/entry/volume.js";
import { createProblem } from "../../components/page/page.js";
import { readPresets } from "../../components/presets/presets.js";
import { h, set, setText } from "../../page/dom.js";
import { answered, countOf, nothingSaid } from "../../water/questions.js";
import { isProblem } from "../../words/problem.js";
import { createQuestionBar } from "./bar.js";
import { createKept } from "./kept.js";
import { createLimits } from "./limits.js";
import { createPlace } from "./place.js";
import { createVolume } from "./volume.js";

/** @typedef {import("../../water/questions.js").Answers} Answers */

/** What was answered and not sent, by device: going away and coming back loses nothing. @type {Map<string, Answers>} */
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
    /** What was said to live in it when the device was linked, right before; null: it is asked at another time. */
    const linked = new URLSearchParams(location.search).get("linked");
    const bar = createQuestionBar(context, { name: store.deviceOf(device)?.name ?? "", back, skip: leave });
    const headline = h("h1", { class: "headline", tabindex: "-1" });
    const why = h("p", { class: "quiet" });
    const body = h("div", { class: "questions-body" });
    const problem = createProblem({ text: t("common.retry"), press: () => void load() });
    const refusal = createProblem();
    const button = createButton({ text: t("questions.next"), busyText: t("common.saving"), kind: "primary", isLarge: true, press: next });
    const water = h("div", { class: "water page-water questions" }, headline, why, body, problem.element, refusal.element, button.element);
    root.replaceChildren(bar.element, water);
    context.title(t("questions.title"));
    bar.update(null);
    set(button.element, "hidden", true);

    /** @type {Answers} */
    let said = nothingSaid;
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

    async function load() {
        problem.show("");
        try {
            const [told, kinds, living] = await Promise.all([api.get(place), readPresets(context), api.get("/species")]);
            if (isGone) return;
            [presets, species, tag] = [kinds, living.data, told.tag ?? ""];
            if (store.deviceOf(device)?.role === "watcher") return propose(told.data);
            said = begun.get(device) ?? told.data.answers;
            if (said.kind === null && linked) said = { ...said, kind: linked };
            show();
        } catch (error) {
            if (!isGone) problem.show(context.explain(error, "read"));
        }
    }

    /** @param {Partial<Answers>} change */
    function say(change) {
        said = answered(said, change);
        begun.set(device, said);
    }

    function mark() {
        const isBoth = step === last && said.outdoors === true;
        bar.update({ first: step + 1, last: step + (isBoth ? 2 : 1), count: countOf(said) });
    }

    function show() {
        limits?.end();
        limits = null;
        const model = { said: () => said, say };
        const asked = /** @type {const} */ (["kept", "volume", "place"])[step];
        setText(headline, t(`questions.${asked}`));
        setText(why, t(`questions.${asked}_why`));
        body.replaceChildren(...(asked === "kept"
            ? createKept(context, { ...model, presets, species })
            : asked === "volume"
            ? createVolume(context, model)
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

    async function next() {
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
            begun.delete(device);
            if (said.litres !== null) rememberVolume(context, device, said.litres);
            propose(data);
        } catch (error) {
            if (isGone) return;
            if (isProblem(error) && error.status === 412) {
                // What was said here stays; sent again it takes the place of what was said elsewhere.
                tag = (await api.get(place).catch(() => null))?.tag ?? tag;
                refusal.show(t("questions.elsewhere"));
            } else refusal.show(context.explain(error));
        }
    }

    /** @param {{proposals: import("../../water/questions.js").Proposal[]}} told */
    function propose({ proposals }) {
        limits = createLimits(context, { device, proposals });
        bar.update(null);
        setText(headline, t("questions.limits"));
        setText(why, t(proposals.length > 0 ? "questions.limits_lead" : "questions.limits_none"));
        body.replaceChildren(...limits.parts);
        set(button.element, "hidden", true);
        headline.focus();
    }

    void load();
    return {
        unmount() {
            isGone = true;
            limits?.end();
        },
    };
}
