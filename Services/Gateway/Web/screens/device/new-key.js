/** A new key for a device, by its owner: the former one ends at once. */

import { enrolmentOf } from "../../app/enrolment.js";
import { maySeal } from "../../app/sealed.js";
import { createButton } from "../../components/button/button.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { createConcealed } from "../../components/secret/concealed.js";
import { h, set } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { stateText } from "../../water/enrolment.js";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../water/tanks.js").Device} device One that the person owns.
 */
export function createNewKey(context, { id, name }) {
    const { t } = context;
    const enrolment = enrolmentOf(context);
    const row = createRow({ name: t("enrol.rotate"), isAction: true, press: () => void ask() });
    const element = h(
        "section",
        { hidden: true },
        h("h2", { class: "section-head" }, t("enrol.key")),
        createList(row.element),
        h("p", { class: "rows-note" }, t("enrol.rotate_note")),
    );
    let isBusy = false;

    async function ask() {
        if (isBusy) return;
        const agrees = await context.confirm({ title: t("enrol.rotate_title", { name }), text: t("enrol.rotate_text"), action: t("enrol.rotate_do"), isGrave: true });
        if (!agrees) return;
        isBusy = true;
        const shown = createShown();
        try {
            await enrolment.rotate(id, shown.tell);
            shown.open();
        } catch (error) {
            context.toast({ text: context.explain(error) });
        } finally {
            isBusy = false;
        }
    }

    /** The sheet about the key, while it is made and once it is there. Closed before, it opens again by itself: the key is shown once. */
    function createShown() {
        let isOpen = false;
        const place = h("div", { class: "form", "aria-live": "polite" }, h("p", { class: "quiet" }, t("enrol.making_begin")));

        function open() {
            if (isOpen) return;
            isOpen = true;
            context.sheet({ title: t("enrol.rotated", { name }), lead: t("enrol.rotate_once"), body: [place], onClose: () => isOpen = false });
        }

        return {
            open,
            /** @param {import("../../app/enrolment.js").Batch} batch */
            tell(batch) {
                const [made] = batch.devices;
                if (batch.isGone) place.replaceChildren(h("p", { class: "quiet" }, t("enrol.gone")));
                else if (batch.isDone) place.replaceChildren(...made?.opened ? toldOf(made.opened) : [h("p", { class: "quiet" }, made ? stateText(context, made) : "")]);
                if ((batch.isGone || batch.isDone) && !isOpen) open();
                return true;
            },
        };
    }

    /** @param {import("../../water/enrolment.js").Opened} opened */
    function toldOf(opened) {
        const setUp = createButton({
            text: t("enrol.setup"),
            kind: "outlined",
            async press() {
                try {
                    const { openSetup } = await import("../../components/setup/setup.js");
                    openSetup(context, { ...opened, name, firmware: null });
                } catch {
                    context.toast({ text: t("common.failed") });
                }
            },
        });
        return [createConcealed(context, t("enrol.key"), opened.password), setUp.element];
    }

    const end = effect([enrolment.standing], () => set(element, "hidden", !maySeal() || (enrolment.standing.value?.state ?? "off") === "off"));
    enrolment.read().catch(() => {});
    return { element, remove: end };
}
