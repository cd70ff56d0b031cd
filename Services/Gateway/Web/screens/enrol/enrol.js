/** Making devices: a list is looked through, the devices are made, and their keys and codes are shown this once. */

import { enrolmentOf } from "../../app/enrolment.js";
import { maySeal } from "../../app/sealed.js";
import { createBlankList } from "../../components/list-row/list-row.js";
import { createEmpty, createProblem, createSubPage } from "../../components/page/page.js";
import { h } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { remind, watchKeys } from "./leaving.js";
import { createMade } from "./made.js";
import { createWish } from "./wish.js";

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 * @returns {import("../../app/context.js").Mounted}
 */
export function mount(root, context) {
    const { t, acting } = context;
    const enrolment = enrolmentOf(context);
    watchKeys(enrolment);
    const page = createSubPage(context, { title: t("enrol.title"), subtitle: acting?.name ?? "", back: "/devices" });
    context.title(t("enrol.title"));
    const problem = createProblem({ text: t("common.retry"), press: () => void read() });
    const body = h("div", { class: "enrol" }, createBlankList(3));
    page.body.append(problem.element, body);
    root.replaceChildren(...page.parts);
    /** The part that stands there: another part is another step. @type {{step: string, remove?: () => void} | null} */
    let part = null;

    async function read() {
        problem.show("");
        try {
            await enrolment.read();
        } catch (error) {
            if (enrolment.standing.value === null) {
                problem.show(context.explain(error, "read"));
                body.replaceChildren();
            }
        }
    }

    function update() {
        const standing = enrolment.standing.value;
        const step = enrolment.batch.value ? "made" : standing === null ? "" : stepOf(standing);
        if (step === "" || part?.step === step) return;
        part?.remove?.();
        const { element, remove } = partOf(step);
        part = { step, remove };
        body.replaceChildren(element);
    }

    /**
     * @param {string} step
     * @returns {{element: Element, remove?: () => void}}
     */
    function partOf(step) {
        if (step === "made") return createMade(context, enrolment);
        if (step === "wish") return createWish(context, enrolment);
        if (step === "others") return { element: createEmpty(t("enrol.others"), { text: t("projects.title"), href: "/settings/projects" }) };
        return { element: createEmpty(t(`enrol.${step}`)) };
    }

    const end = effect([enrolment.standing, enrolment.batch], update);
    void read();
    return {
        unmount() {
            end();
            part?.remove?.();
            remind(context, enrolment);
        },
    };
}

/**
 * The step that a person finds before anything is made.
 * @param {import("../../app/enrolment.js").Standing} standing
 */
function stepOf({ state, allowed }) {
    if (state !== "ready") return state;
    if (!allowed) return "others";
    return maySeal() ? "wish" : "insecure";
}
