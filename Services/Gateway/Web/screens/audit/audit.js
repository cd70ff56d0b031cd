/** The log of changes of the account or of one device. */

import { actingAs } from "../../app/acting.js";
import { saveFile } from "../../app/files.js";
import { createButton } from "../../components/button/button.js";
import { createSubPage } from "../../components/page/page.js";
import { brand } from "../../lang/languages.js";
import { h } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { createChanges } from "../../components/changes/changes.js";

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, api, store } = context;
    const device = new URLSearchParams(location.search).get("device");
    const query = device === null ? undefined : { device };
    context.title(t("audit.title"));
    const page = createSubPage(context, {
        title: t("audit.title"),
        back: device === null ? actingAs() ? "/settings" : "/settings/account" : `/devices/${encodeURIComponent(device)}`,
    });
    const csv = createButton({ text: t("audit.csv"), kind: "text", press: () => void save() });
    csv.element.hidden = true;
    const changes = createChanges(context, { path: "/audit", query, onRead: (count) => csv.element.hidden = count === 0 });
    page.body.append(changes.element, csv.element, h("p", { class: "rows-note" }, t("audit.note")));
    root.replaceChildren(...page.parts);

    async function save() {
        try {
            await saveFile(api, "/audit.csv", `${brand.filePrefix}audit.csv`, query);
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
    }

    const end = effect([store.devices], () => page.setSubtitle(device === null ? "" : store.deviceOf(device)?.name ?? device));
    return {
        unmount() {
            changes.remove();
            end();
        },
    };
}
