/** The form of a sample, from the values to what was seen; it says how far what is in it has come. */

import { createButton } from "../../components/button/button.js";
import { createField } from "../../components/field/field.js";
import { createProblem } from "../../components/page/page.js";
import { h, set, setText } from "../../page/dom.js";
import { longestText, mostSurveyors } from "../../water/field/draft.js";
import { mostValues, valuesOf } from "../../water/field/values.js";
import { createConflict } from "./conflict.js";
import { createGone } from "./gone.js";
import { createPhotos } from "./photos.js";
import { createTrail } from "./trail.js";
import { createValues } from "./values.js";
import { createWeather } from "./weather.js";
import { createWhere } from "./where.js";

/** @typedef {import("../../water/field/draft.js").Draft} Draft */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../app/field/field.js").FieldWork} field
 * @param {Draft} first
 * @param {() => void} leave
 */
export function createForm(context, field, first, leave) {
    const { t, confirm } = context;
    const { id } = first;
    const { drafts } = field;
    let last = first;
    const draft = () => last = drafts.find(id) ?? last;
    /** @param {(draft: Draft) => Draft} run */
    const change = (run) => {
        field.reopen(id);
        drafts.change(id, run);
    };
    const values = createValues(context, draft, change);
    const weather = createWeather(context, draft, change);
    const where = createWhere(context, draft, change);
    const photos = createPhotos(context, field, draft);
    const trail = createTrail(context, field, draft, change);
    const who = createField({
        label: t("field.surveyors"), name: "surveyors", maxlength: 1_000, value: first.surveyors.join(", "),
        onInput: () => change((now) => ({ ...now, surveyors: who.value.split(",").slice(0, mostSurveyors) })),
    });
    const habitat = createText("habitat");
    const comment = createText("comment");
    const state = h("p", { class: "small quiet", role: "status" });
    const why = createProblem({ text: t("common.retry"), press: () => void field.retry(id) });
    const conflictPlace = h("div");
    const gone = createGone(context, draft, { renew: (device) => field.renew(id, device), discard: throwAway, leave });
    const tooMany = createProblem();
    let toldOfCount = 0;
    const done = createButton({ text: t("field.save"), busyText: t("common.saving"), kind: "primary", isLarge: true, press: finish });
    const later = createButton({ text: t("field.later"), isLarge: true, press: putAside });
    const away = createButton({ text: t("field.discard"), kind: "text", press: discard });
    /** @type {ReturnType<typeof createConflict> | null} */
    let conflict = null;

    /** @param {'habitat' | 'comment'} name */
    function createText(name) {
        const text = createField({
            label: t(`field.${name}`), name, rows: 3, maxlength: longestText, value: first[name],
            onInput: () => change((now) => ({ ...now, [name]: text.value })),
        });
        return text;
    }

    async function finish() {
        if (count() > mostValues || photos.isBusy() || !values.isReady() || !weather.isReady()) return;
        await drafts.flush();
        await field.finish(id);
        if (drafts.keeping.value === "unkept") return;
        leave();
    }

    /** How many values would be sent. */
    const count = () => valuesOf(draft().protocol, draft()).length;

    function tellCount() {
        const now = Math.max(count(), mostValues);
        if (now === toldOfCount) return;
        toldOfCount = now;
        tooMany.show(now > mostValues ? t("field.too_many", { count: now, most: mostValues }) : "");
    }

    async function putAside() {
        await field.leave(id);
        if (drafts.keeping.value !== "unkept") leave();
    }

    async function discard() {
        const title = t(draft().base ? "field.discard_changes" : "field.discard_title");
        const agrees = await confirm({ title, text: t(draft().base ? "field.discard_changesText" : "field.discard_text"), action: t("field.discard"), isGrave: true });
        if (agrees) await throwAway();
    }

    async function throwAway() {
        await field.discard(id);
        leave();
    }

    function update() {
        const now = draft();
        const standing = field.standings.value.get(id);
        const keeping = drafts.keeping.value;
        setText(state, t(`field.keeping_${keeping}`));
        set(state, "data-keeping", keeping);
        why.show(keeping === "unkept" ? t("field.unkept") : standing?.state === "refused" ? t("journal.refused_text", { problem: standing.why }) : "");
        if (standing?.state === "conflict" && !conflict) {
            conflict = createConflict(context, field, now, () => {
                conflict = null;
                conflictPlace.replaceChildren();
                values.showAll();
                weather.show();
                where.show();
                who.value = draft().surveyors.join(", ");
                habitat.value = draft().habitat;
                comment.value = draft().comment;
            });
            conflictPlace.replaceChildren(conflict.element);
        } else if (standing?.state !== "conflict" && conflict) {
            conflict = null;
            conflictPlace.replaceChildren();
        }
        gone.show(standing?.state === "gone");
        tellCount();
        photos.show();
        trail.show();
    }

    return {
        parts: [
            why.element,
            conflictPlace,
            gone.element,
            values.element,
            weather.element,
            where.element,
            photos.element,
            trail.element,
            h("section", { class: "form" }, h("h2", { class: "section-head" }, t("field.notes")), who.element, habitat.element, comment.element),
            h("div", { class: "field-end" }, tooMany.element, state, away.element),
            h("div", { class: "field-buttons" }, done.element, later.element),
        ],
        update,
        remove() {
            where.end();
            trail.remove();
        },
    };
}
