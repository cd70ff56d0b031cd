/** Labels of devices, on sheets to print: a code for cameras, the name, the id, and the claim code or whose it is; the key only where wished. */

import { createButton } from "../../components/button/button.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { createQR } from "../../components/qr/qr.js";
import { createSegmented } from "../../components/segmented/segmented.js";
import { createSwitch } from "../../components/switch/switch.js";
import { h, set } from "../../page/dom.js";
import { addressOf, paperOf, sheetsOf } from "../../water/enrolment.js";

/** @typedef {import("../../water/enrolment.js").Made} Made */
/** @typedef {import("../../water/enrolment.js").Paper} Paper */

/** So long codes are drawn before the page gets its turn, in milliseconds. */
const stretch = 12;

/**
 * @param {import("../../app/context.js").Context} context
 * @param {readonly Made[]} devices Opened ones.
 */
export function createLabels(context, devices) {
    const { t, acting, store } = context;
    const owner = acting?.name ?? store.account.value?.name ?? "";
    let paper = paperOf(navigator.languages ?? [navigator.language]);
    let hasKeys = false;
    let isGone = false;
    const title = h("h2", { class: "section-head", tabindex: "-1" }, t("enrol.labels"));
    const choice = createSegmented({
        label: t("enrol.paper"),
        options: [{ value: "a4", text: t("enrol.paper_a4") }, { value: "letter", text: t("enrol.paper_letter") }],
        value: paper,
        onChoose(next) {
            paper = /** @type {Paper} */ (next);
            lay();
        },
    });
    const keys = createSwitch({
        label: t("enrol.labels_keys"),
        isOn: hasKeys,
        onTurn(isOn) {
            hasKeys = isOn;
            set(sheets, "data-keys", isOn);
        },
    });
    const size = h("p", { class: "rows-note" });
    const print = createButton({ text: t("enrol.print"), busyText: t("enrol.print_draws"), kind: "primary", press: () => globalThis.print() });
    const sheets = h("div", { class: "labels" });
    const labels = devices.map(createLabel);
    const element = h(
        "section",
        { class: "enrol-labels" },
        h(
            "div",
            { class: "enrol-label-choice" },
            title,
            choice.element,
            createList(createRow({ name: t("enrol.labels_keys"), detail: t("enrol.labels_keys_text"), control: keys.element }).element),
            size,
            h("div", { class: "buttons" }, print.element),
        ),
        h("div", { class: "labels-view", role: "region", tabindex: "0", "aria-label": t("enrol.labels_view") }, sheets),
    );

    /** Lays the labels on the sheets of the chosen paper. */
    function lay() {
        set(sheets, "data-paper", paper);
        size.textContent = t(`enrol.paper_${paper}_text`, { count: devices.length });
        sheets.replaceChildren(...sheetsOf(labels, paper).map((some) => h("div", { class: "labels-sheet" }, ...some.map((label) => label.element))));
    }

    /** @param {Made} device */
    function createLabel({ name, id, opened }) {
        const code = h("div", { class: "label-code" });
        const whose = opened?.claimCode ?? (owner === "" ? "" : t("enrol.belongs", { name: owner }));
        const element = h(
            "div",
            { class: "label" },
            code,
            h(
                "div",
                { class: "label-text" },
                h("p", { class: "label-name" }, name || id),
                name && name !== id ? h("p", { class: "label-id", dir: "ltr" }, id) : null,
                h("p", { class: opened?.claimCode ? "label-claim" : "label-id" }, whose),
                h("p", { class: "label-key", dir: "ltr" }, opened?.password ?? ""),
            ),
        );
        return { element, draw: () => opened && code.append(createQR(addressOf(location.origin, opened), t("enrol.label_code", { name: name || id })) ?? "") };
    }

    /** Draws the codes, which takes many of them seconds. */
    async function draw() {
        print.setBusy(true);
        let began = performance.now();
        for (const label of labels) {
            if (isGone) return;
            label.draw();
            if (performance.now() - began < stretch) continue;
            await new Promise((resolve) => setTimeout(resolve));
            began = performance.now();
        }
        print.setBusy(false);
    }

    lay();
    void draw();
    return {
        element,
        focus() {
            title.focus();
            title.scrollIntoView?.({ block: "start" });
        },
        remove() {
            isGone = true;
        },
    };
}
