/** Adding a place without a device: its name, where it is, and what lives in its water. */

import { createButton } from "../../../components/button/button.js";
import { createField } from "../../../components/field/field.js";
import { createProblem, createSubPage } from "../../../components/page/page.js";
import { createPlaceFields } from "../../../components/place-fields/place-fields.js";
import { createKept } from "../../../components/presets/kept.js";
import { h } from "../../../page/dom.js";
import { isProblem } from "../../../words/problem.js";

/**
 * @param {HTMLElement} root
 * @param {import("../../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, api, store } = context;
    context.title(t("sites.title"));
    const page = createSubPage(context, { title: t("sites.title"), back: "/devices" });
    const name = createField({ label: t("devices.name"), name: "name", placeholder: t("sites.name_example"), maxlength: 64 });
    const place = createPlaceFields(context, { latitude: null, longitude: null }, { isExact: true, mayBeNone: true });
    const kept = createKept(context);
    const problem = createProblem();
    const button = createButton({ text: t("sites.add"), busyText: t("sites.adding"), kind: "primary", isLarge: true, isSubmit: true });
    const form = h("form", { class: "form", novalidate: true }, name.element, ...place.elements, ...kept.elements, problem.element, button.element);
    page.body.append(h("div", { class: "link-device surface" }, h("p", { class: "quiet" }, t("sites.lead")), form));
    root.replaceChildren(...page.parts);

    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (button.isBusy) return;
        problem.show("");
        if (name.value.trim() === "") {
            name.setFault({ what: t("devices.name_missing"), todo: t("devices.name_todo") });
            return name.focus();
        }
        const where = place.read();
        if (where === null) return;
        // Limits of other water alarm: there are none that suit everybody.
        if (kept.preset() === null) return kept.ask();
        button.setBusy(true);
        try {
            const { data } = await api.post("/sites", { name: name.value.trim(), ...where, preset: kept.preset() || null }, { once: true });
            await store.refresh().catch(() => {});
            store.choose(data.id);
            await context.navigate("/", { replace: true });
        } catch (error) {
            const fault = isProblem(error) ? error.faultOf("name") : null;
            if (!fault) return problem.show(context.explain(error));
            name.setFault({ what: fault.detail });
            name.focus();
        } finally {
            button.setBusy(false);
        }
    });
    return { unmount() {} };
}
