/** Before somebody signs out: samples that this device alone has go with it, so that the person sends them, saves them as a file, or says so. */

import { saveText } from "../../app/files.js";
import { createButton } from "../../components/button/button.js";
import { brand } from "../../lang/languages.js";
import { h } from "../../page/dom.js";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../app/field/field.js").FieldWork} field
 * @param {number} count
 * @returns {Promise<boolean>} Whether they may be deleted here.
 */
export function mayDeleteDrafts(context, field, count) {
    const { t } = context;
    return new Promise((resolve) => {
        let may = false;
        const look = h("a", { class: "button button-primary", href: "/field", onclick: () => sheet.close() }, t("field.out_look"));
        const file = createButton({
            text: t("field.file"),
            press: async () => saveText(await field.exported(), `${brand.filePrefix}field-samples.json`, "application/json"),
        });
        const out = createButton({
            text: t("field.out_delete"),
            kind: "danger",
            press() {
                may = true;
                sheet.close();
            },
        });
        const sheet = context.sheet({
            title: t("field.out_title", { count }),
            lead: t("field.out_text"),
            body: [h("div", { class: "stack" }, look, file.element, out.element)],
            onClose: () => resolve(may),
        });
    });
}
