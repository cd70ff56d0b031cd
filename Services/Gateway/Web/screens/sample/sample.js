/**
 * A field sample: the form of one that this device keeps, or what the service has of one that was sent, or that a project received. Each letter is
 * kept as it is typed, so that nothing is lost with the window.
 */

import { fieldOf } from "../../app/field/field.js";
import { createBlankList } from "../../components/list-row/list-row.js";
import { createProblem, createSubPage } from "../../components/page/page.js";
import { createShape } from "../../components/shape/shape.js";
import { h, set } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { isCutOff } from "../../water/headline.js";
import { placeName, positionText } from "../../water/field/text.js";
import { createForm } from "./form.js";
import { mountReceived } from "./received.js";
import { createSent } from "./sent.js";

/** @typedef {import("../../water/field/draft.js").Draft} Draft */
/** @typedef {import("../../water/field/draft.js").Sample} Sample */

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 * @param {Record<string, string>} params
 * @returns {import("../../app/context.js").Mounted}
 */
export function mount(root, context, { sample: id }) {
    const project = new URLSearchParams(location.search).get("project");
    return project === null ? mountOwn(root, context, id) : mountReceived(root, context, id, project);
}

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 * @param {string} id
 * @returns {import("../../app/context.js").Mounted}
 */
function mountOwn(root, context, id) {
    const { t, store } = context;
    const field = fieldOf(context);
    const offline = h("span", { class: "field-offline", role: "img", "aria-label": t("field.offline") }, createShape("offline"));
    const page = createSubPage(context, { title: t("field.sample"), back: "/field", action: offline });
    const problem = createProblem({ text: t("common.retry"), press: () => void open() });
    context.title(t("field.sample"));
    page.body.classList.add("field-page");
    page.body.replaceChildren(createBlankList(4));
    root.replaceChildren(...page.parts);
    /** @type {{update: () => void, remove: () => void} | null} */
    let shown = null;
    let isGone = false;
    /** The draft in the form that is shown. @type {Draft | null} */
    let inForm = null;
    /** Another window has the sample open: what is typed in two of them would be kept in turns. */
    let release = () => {};

    async function open() {
        problem.show("");
        await field.ready;
        const draft = field.drafts.find(id);
        if (draft) return void (await hold() ? showForm(draft) : showElsewhere());
        try {
            const sample = await field.samples.last(id);
            if (!isGone) await showSent(sample);
        } catch (error) {
            if (isGone) return;
            problem.show(context.explain(error, "read"));
            page.body.replaceChildren(problem.element);
        }
    }

    /** @returns {Promise<boolean>} Whether this window alone has the sample. */
    function hold() {
        if (!navigator.locks) return Promise.resolve(true);
        return new Promise((resolve) => {
            void navigator.locks.request(`aqua-sample-${id}`, { ifAvailable: true }, (lock) => {
                resolve(lock !== null);
                return lock ? new Promise((end) => release = () => end(undefined)) : undefined;
            });
        });
    }

    function showElsewhere() {
        if (!isGone) page.body.replaceChildren(h("p", { class: "quiet" }, t("field.elsewhere")));
    }

    /** @param {Draft} draft */
    function showForm(draft) {
        if (isGone) return release();
        shown?.remove();
        page.heading.textContent = draft.protocol.name;
        inForm = draft;
        const form = createForm(context, field, draft, () => void context.navigate("/field", { replace: true }));
        shown = form;
        page.body.replaceChildren(...form.parts);
        update();
    }

    /** @param {Sample} sample */
    async function showSent(sample) {
        shown?.remove();
        shown = null;
        const sent = await createSent(context, field, sample, async () => {
            await field.take(id);
            const draft = field.drafts.find(id);
            if (draft && await hold()) showForm(draft);
        });
        if (isGone) return;
        shown = sent;
        page.heading.textContent = sent.title;
        page.setSubtitle(placeName(context, sample));
        page.body.replaceChildren(...sent.parts);
    }

    function update() {
        set(offline, "hidden", !isCutOff(store.connection.value));
        const draft = field.drafts.find(id);
        if (!draft && inForm?.state === "done") {
            // The service has all of it, and nothing that was typed into the form would be kept any more.
            inForm = null;
            release();
            page.body.replaceChildren(createBlankList(4));
            return void open();
        }
        if (draft) {
            if (inForm) inForm = draft;
            const place = placeName(context, draft);
            page.setSubtitle(draft.position ? `${place} · ${draft.position.accuracy === null ? positionText(context, draft.position) : `±${draft.position.accuracy} m`}` : place);
        }
        shown?.update();
    }

    const end = effect([field.drafts.shown, field.drafts.keeping, field.standings, field.trail.listening, store.connection, store.devices], update);
    void open();
    return {
        unmount() {
            isGone = true;
            end();
            shown?.remove();
            release();
            if (field.drafts.find(id)?.state === "begun" && field.trail.listening.value?.sample !== id) void field.leave(id);
            else void field.drafts.flush();
        },
    };
}
