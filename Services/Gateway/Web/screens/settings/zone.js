/** The time zone in which times are told: found by typing a part of its name. */

import { createField } from "../../components/field/field.js";
import { h } from "../../page/dom.js";

const most = 30;

/**
 * @param {import("../../app/context.js").Context} context
 * @param {(zone: string) => Promise<void>} onChoose
 */
export async function askForZone(context, onChoose) {
    const { t, api, store } = context;
    const field = createField({ label: t("settings.zone_find"), name: "zone", onInput: show });
    field.input.setAttribute("autofocus", "");
    const list = h("ul");
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    /** @type {string[]} */
    let zones = [here];

    function show() {
        const wished = field.value.trim().toLowerCase().replaceAll(" ", "_");
        const found = wished === "" ? [...new Set([here, store.settings.value?.timeZone ?? here])] : zones.filter((zone) => zone.toLowerCase().includes(wished));
        list.replaceChildren(...found.slice(0, most).map((zone) =>
            h(
                "li",
                null,
                h("button", {
                    class: "choice",
                    type: "button",
                    "aria-pressed": String(zone === store.settings.value?.timeZone),
                    onclick: () => {
                        sheet.close();
                        onChoose(zone);
                    },
                }, zone.replaceAll("_", " ")),
            )
        ));
    }

    const sheet = context.sheet({ title: t("settings.zone"), lead: t("settings.zone_text"), body: [field.element, list] });
    show();
    try {
        zones = (await api.get("/time-zones")).data;
        show();
    } catch (error) {
        field.setFault({ what: context.explain(error) });
    }
}
