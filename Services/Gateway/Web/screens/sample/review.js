/** What a project's administrators say of a sample: it is good, something is wrong with it, or it does not count. */

import { versionTag } from "../../app/versions.js";
import { createButton } from "../../components/button/button.js";
import { createField } from "../../components/field/field.js";
import { createProblem } from "../../components/page/page.js";
import { createSegmented } from "../../components/segmented/segmented.js";
import { h } from "../../page/dom.js";

const words = /** @type {const} */ (["approved", "hasIssues", "rejected"]);
const longest = 500;

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../water/field/draft.js").Sample} sample
 */
export function openReview(context, { id, review: before, version }) {
    const { t, api } = context;
    /** @type {string} */
    let chosen = before?.review ?? "approved";
    const choice = createSegmented({
        label: t("field.review"),
        options: words.map((value) => ({ value: /** @type {string} */ (value), text: t(`field.review_${value}`) })),
        value: chosen,
        onChoose: (next) => chosen = next,
    });
    const note = createField({ label: t("journal.text"), name: "note", rows: 3, maxlength: longest, value: before?.note ?? "" });
    const problem = createProblem();
    const save = createButton({
        text: t("common.save"),
        busyText: t("common.saving"),
        kind: "primary",
        press: async () => {
            try {
                await api.put(`/field-samples/${id}/review`, { review: chosen, note: note.value.trim() || null }, { ifMatch: versionTag(version) });
                sheet.close();
                await context.remount();
            } catch (error) {
                problem.show(context.explain(error));
            }
        },
    });
    const sheet = context.sheet({ title: t("field.review_do"), body: [h("div", { class: "form" }, choice.element, note.element, problem.element, save.element)] });
}
