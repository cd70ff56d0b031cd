/** A sample that a project received of somebody else: its newest version, as it came. */

import { fieldOf } from "../../app/field/field.js";
import { createReceivedSamples } from "../../app/field/received.js";
import { createDepthProfile } from "../../components/depth-profile/depth-profile.js";
import { createBlankList, createList, createRow } from "../../components/list-row/list-row.js";
import { createEmpty, createProblem, createSubPage } from "../../components/page/page.js";
import { wordOf } from "../../lang/index.js";
import { h } from "../../page/dom.js";
import { profilesOf } from "../../water/field/profile.js";
import { protocolFor, receivedPlace, unknownProtocol } from "../../water/field/received.js";
import { factsOf, valuesOf } from "./contents.js";

/** @typedef {import("../../water/field/received.js").Arrival} Arrival */

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 * @param {string} id
 * @param {string} project
 * @returns {import("../../app/context.js").Mounted}
 */
export function mountReceived(root, context, id, project) {
    const { t, format } = context;
    const received = createReceivedSamples(context, project);
    const { samples } = fieldOf(context);
    const page = createSubPage(context, { title: t("field.sample"), back: `/settings/projects/${encodeURIComponent(project)}` });
    const problem = createProblem({ text: t("common.retry"), press: () => void open() });
    context.title(t("field.sample"));
    page.body.classList.add("field-page");
    root.replaceChildren(...page.parts);
    let isGone = false;

    async function open() {
        problem.show("");
        page.body.replaceChildren(createBlankList(4));
        try {
            const row = await received.find(id);
            if (isGone) return;
            if (row === null) return page.body.replaceChildren(createEmpty(t("receivers.unknown")));
            await show(row);
        } catch (error) {
            if (isGone) return;
            problem.show(context.explain(error, "read"));
            page.body.replaceChildren(problem.element);
        }
    }

    /** @param {Arrival} row */
    async function show(row) {
        const { sample } = row;
        page.setSubtitle(receivedPlace(row));
        if (sample === null) return page.body.replaceChildren(h("p", { class: "rows-note" }, t("field.withdrawn_text")), wayOf(row));
        const known = row.ownProtocol ? [] : await samples.protocolsOf(null, [{ ...sample, device: null }]);
        if (isGone) return;
        const protocol = protocolFor(row, known) ?? unknownProtocol(sample);
        const profiles = profilesOf([{ ...sample, id, state: "done" }], [protocol]).map((profile) => createDepthProfile(context, profile, id));
        page.heading.textContent = protocol.name;
        page.body.replaceChildren(
            valuesOf(context, sample.values, protocol),
            h("div", { class: "field-profiles" }, profiles),
            h("h2", { class: "section-head" }, t("field.notes")),
            factsOf(context, { ...sample, position: sample.position ?? placeOf(row) }, protocol),
            h("h2", { class: "section-head" }, t("field.way")),
            wayOf(row),
        );
    }

    /** @param {Arrival} row */
    function wayOf({ sender, sentAt, device, version, state, review }) {
        return createList(
            state === "withdrawn" ? null : createRow({ name: t("field.by"), value: sender ?? t("journal.nobody") }).element,
            createRow({ name: t("receivers.came"), value: format.moment(Date.parse(sentAt)) }).element,
            createRow({ name: t("field.place"), value: device }).element,
            createRow({ name: t("field.version", { number: version }) }).element,
            review ? createRow({ name: t("field.review"), value: wordOf(t, "field.review", review.review), detail: review.note ?? "" }).element : null,
        );
    }

    void open();
    return {
        unmount() {
            isGone = true;
        },
    };
}

/** The position of the place, where the sample has none of its own. @param {Arrival} row @returns {import("../../water/field/draft.js").Position | null} */
function placeOf({ latitude, longitude }) {
    return latitude === null || longitude === null ? null : { latitude, longitude, accuracy: null, altitude: null, source: "typed" };
}
