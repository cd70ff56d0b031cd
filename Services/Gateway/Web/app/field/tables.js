/** Tables of samples for other programs, saved as files. */

import { h } from "../../page/dom.js";
import { createButton } from "../../components/button/button.js";
import { brand } from "../../lang/languages.js";
import { tables } from "../../water/receivers.js";
import { saveFile } from "../files.js";
import { askNames } from "./wqx.js";

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

    /** @param {string} kind @param {Readonly<Record<string, string>>} [names] */
    const save = (kind, names = {}) => saveFile(api, path, `${brand.filePrefix}${name}-${kind}.csv`, { ...query, ...names, kind }, project);

    /** @param {string} kind */
    async function download(kind) {
        if (kind === "wqx") return askNames(context, { project, save: (names) => save(kind, names) });
        try {
            await save(kind);
        } catch (error) {
            context.toast({ text: context.explain(error, "read") });
        }
    }

    return h("div", { class: "field-tables" }, tables.map((kind) =>
        createButton({ text: t(`field.csv_${kind}`), kind: "text", press: () => download(kind) }).element
    ));
}
