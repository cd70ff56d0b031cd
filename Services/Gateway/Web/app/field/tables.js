/** Tables of samples for other programs: saved as files, and what keeps one from being made. */

import { h } from "../../page/dom.js";
import { createButton } from "../../components/button/button.js";
import { brand } from "../../lang/languages.js";
import { tables } from "../../water/receivers.js";
import { isProblem } from "../../words/problem.js";
import { saveFile } from "../files.js";

/**
 * A button a table.
 * @param {import("../context.js").Context} context
 * @param {string} path
 * @param {string} name How the files' names begin.
 * @param {object} [options]
 * @param {string} [options.project] As which project they are asked for; without it as the window acts.
 * @param {Readonly<Record<string, string>>} [options.query] What narrows them.
 */
export function createTables(context, path, name, { project, query = {} } = {}) {
    const { t, api } = context;

    /** @param {string} kind */
    async function download(kind) {
        try {
            await saveFile(api, path, `${brand.filePrefix}${name}-${kind}.csv`, { ...query, kind }, project);
        } catch (error) {
            if (isProblem(error) && error.code === "wqx-incomplete") return tell(error);
            context.toast({ text: context.explain(error, "read") });
        }
    }

    /** @param {import("../../words/problem.js").Problem} problem */
    function tell({ title, detail, lines }) {
        const list = h("ul", { class: "small" }, ...lines.map(({ line, device, element }) => h("li", null, t("receivers.line", { line, device, element }))));
        context.sheet({ title, lead: detail, body: [list] });
    }

    return h("div", { class: "field-tables" }, tables.map((kind) =>
        createButton({ text: t(`field.csv_${kind}`), kind: "text", press: () => download(kind) }).element
    ));
}
