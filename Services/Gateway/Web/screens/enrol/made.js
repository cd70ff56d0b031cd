/** A batch, how far it is, and then what is shown this once: keys and codes, as a list, as a file and as labels. */

import { isAtStake } from "../../app/enrolment.js";
import { saveText } from "../../app/files.js";
import { createButton } from "../../components/button/button.js";
import { createProblem } from "../../components/page/page.js";
import { brand } from "../../lang/languages.js";
import { h, set, setText } from "../../page/dom.js";
import { createKeyed } from "../../page/keyed.js";
import { effect } from "../../page/signals.js";
import { fileOf } from "../../water/enrolment.js";
import { createLabels } from "./labels.js";
import { createMadeRow } from "./made-row.js";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../app/enrolment.js").Enrolment} enrolment
 */
export function createMade(context, enrolment) {
    const { t, store } = context;
    const title = h("h2", { class: "title", tabindex: "-1" });
    const bar = h("progress", { class: "progress", "aria-label": t("enrol.making") });
    const lead = h("p", { class: "quiet", role: "status" });
    const problem = createProblem();
    const save = createButton({ text: t("enrol.save"), kind: "primary", press: saveFile });
    const print = createButton({ text: t("enrol.labels"), kind: "outlined", press: openLabels });
    const done = createButton({ text: t("enrol.done"), kind: "text", press: finish });
    const buttons = h("div", { class: "buttons", hidden: true }, save.element, print.element, done.element);
    const labelPlace = h("div", null);
    const list = h("ul", { class: "made surface", hidden: true });
    const update = createKeyed(list, (/** @type {import("./made-row.js").Placed} */ { place }) => String(place), () => createMadeRow(context));
    const element = h("div", { class: "enrol-made" }, h("div", { class: "enrol-head" }, title, bar, lead, problem.element, buttons), labelPlace, list);
    let wasDone = false;
    /** @type {ReturnType<typeof createLabels> | null} */
    let labels = null;

    function show() {
        const batch = enrolment.batch.value;
        if (!batch) return;
        const ready = batch.devices.filter(({ opened }) => opened !== null);
        const isOver = batch.isDone || batch.isGone;
        setText(title, isOver ? t("enrol.made", { count: batch.devices.filter(({ state }) => state === "made").length }) : t("enrol.making"));
        set(bar, "hidden", isOver);
        // Until it is known how many there are, nothing says how far it is.
        if (batch.of > 0) Object.assign(bar, { max: batch.of, value: batch.done });
        setText(lead, isOver ? ready.length > 0 ? t("enrol.once") : "" : progressOf(batch));
        problem.show(troubleOf(batch));
        set(buttons, "hidden", !isOver);
        for (const button of [save, print]) set(button.element, "hidden", ready.length === 0);
        set(list, "hidden", batch.devices.length === 0);
        update(batch.devices.map((device, place) => ({ place, device })));
        if (!isOver || wasDone) return;
        wasDone = true;
        // Linked devices are the person's from now on.
        store.refresh().catch(() => {});
    }

    /** @param {import("../../app/enrolment.js").Batch} batch */
    const progressOf = ({ of, done }) => of > 0 ? t("enrol.progress", { done, count: of }) : t("enrol.making_begin");

    /** @param {import("../../app/enrolment.js").Batch} batch */
    function troubleOf({ isGone, trouble }) {
        if (isGone) return t("enrol.gone");
        return trouble ? t("enrol.goes_on") : "";
    }

    function saveFile() {
        const devices = enrolment.batch.value?.devices ?? [];
        saveText(fileOf(devices), `${brand.filePrefix}${new Date().toISOString().slice(0, 10)}.csv`, "text/csv");
        enrolment.saved();
    }

    function openLabels() {
        if (labels) return labels.focus();
        labels = createLabels(context, (enrolment.batch.value?.devices ?? []).filter(({ opened }) => opened !== null));
        labelPlace.replaceChildren(labels.element);
        labels.focus();
    }

    async function finish() {
        if (isAtStake(enrolment.batch.value)) {
            const agrees = await context.confirm({ title: t("enrol.drop"), text: t("enrol.drop_text"), action: t("enrol.drop_do"), isGrave: true });
            if (!agrees) return;
        }
        enrolment.end();
        await enrolment.read().catch(() => {});
    }

    const end = effect([enrolment.batch], show);
    queueMicrotask(() => title.focus());
    return {
        element,
        remove() {
            end();
            labels?.remove();
        },
    };
}
