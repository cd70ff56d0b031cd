/** A test by hand is written down: which kit, a row for each of its parameters, and in the end what the values mean. */

import { randomKey } from "../../app/api.js";
import { handKeepingOf } from "../../app/hand-keeping.js";
import { createButton } from "../../components/button/button.js";
import { unkeptText } from "../../components/entry/not-kept.js";
import { createEmpty, createProblem, createSubPage } from "../../components/page/page.js";
import { createIcon, createShape, uniqueID } from "../../components/shape/shape.js";
import { h, setText } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { handText, rowsOf } from "../../water/by-hand.js";
import { latestWith } from "../../water/hand-tests.js";
import { mayAct } from "../../water/projects.js";
import { isProblem } from "../../words/problem.js";
import { createKitRow } from "./kit-row.js";
import { createTimer } from "./timer.js";
import { createWaiting } from "./waiting.js";

/** @typedef {import("../../water/by-hand.js").Entry} Entry */
/** @typedef {import("../../water/by-hand.js").HandValue} HandValue */
/** @typedef {import("../../water/by-hand.js").Kit} Kit */
/** @typedef {import("../../water/by-hand.js").Latest} Latest */

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 * @param {Record<string, string>} params
 * @returns {import("../../app/context.js").Mounted}
 */
export function mount(root, context, { device }) {
    const { t, store } = context;
    const keeping = handKeepingOf(context);
    context.title(t("byHand.title"));
    const page = createSubPage(context, { title: t("byHand.title"), subtitle: store.deviceOf(device)?.name ?? "", back: "/" });
    const problem = createProblem({ text: t("common.retry"), press: () => void load() });
    const kitID = uniqueID();
    const select = h("select", { class: "field-input", id: kitID, onchange: choose });
    const chooser = h("div", { class: "field" }, h("label", { class: "field-label", for: kitID }, t("byHand.kit")), h("div", { class: "hand-kit" }, select, createIcon("chevronDown")));
    const timer = createTimer(context);
    const waiting = createWaiting(context, keeping, device);
    const list = h("div", { class: "hand-rows surface" });
    const question = h("div", { class: "hand-question", role: "alert" });
    const button = createButton({ text: "", busyText: t("common.saving"), kind: "primary", isLarge: true, press: () => void save(false) });
    root.replaceChildren(...page.parts);

    /** @type {readonly Kit[]} */
    let kits = [];
    /** @type {readonly Latest[]} */
    let latest = [];
    /** @type {ReturnType<typeof createKitRow>[]} */
    let rows = [];
    /** One id for what is on the screen: pressed twice it is one test. */
    let id = randomKey();
    /** Whether the test was kept, to be sent later. */
    let isKept = false;
    let isGone = false;

    async function load() {
        problem.show("");
        try {
            [kits, latest] = await Promise.all([keeping.kits(), keeping.latest(device)]);
        } catch (error) {
            if (isGone) return;
            problem.show(context.explain(error));
            page.body.replaceChildren(problem.element);
            return;
        }
        if (isGone) return;
        if (!mayAct(store.deviceOf(device))) return page.body.replaceChildren(createEmpty(t("projects.only_look")));
        latest = latestWith(latest, keeping.unsentOf(device));
        select.replaceChildren(
            h("option", { value: "" }, t("byHand.otherKit")),
            ...kits.map(({ id, name }) => h("option", { value: id }, name)),
        );
        select.value = latest.map(({ last }) => last).filter((last) => last !== null)
            .sort((one, other) => other.at.localeCompare(one.at))[0]?.kit ?? "";
        page.body.replaceChildren(waiting.element, chooser, timer.element, list, question, button.element, problem.element);
        choose();
    }

    const kitOf = () => kits.find((kit) => kit.id === select.value) ?? null;

    function choose() {
        const parameters = store.tanks.value?.find((tank) => tank.id === device)?.gauges ?? [];
        const kit = kitOf();
        timer.setKit(kit);
        rows = rowsOf(kit, parameters).map((row) =>
            createKitRow(context, {
                device,
                row,
                latest: latest.find(({ parameter }) => parameter === row.parameter),
                changed: count,
            })
        );
        list.replaceChildren(...rows.map(({ element }) => element));
        count();
    }

    /** @returns {Entry[]} */
    const entries = () => rows.flatMap((row) => row.entry() ?? []);

    function count() {
        const count = entries().length;
        question.replaceChildren();
        button.setText(count > 0 ? t("byHand.save", { count }) : t("common.save"));
        button.setEnabled(count > 0 && !rows.some((row) => row.isFaulty()));
    }

    /** @param {boolean} confirmed */
    async function save(confirmed) {
        const doubtful = rows.filter((row) => row.isUnlikely());
        if (!confirmed && doubtful.length > 0) return ask(doubtful.map((row) => row.name));
        problem.show("");
        button.setBusy(true);
        try {
            const typed = rows.flatMap((row) => row.shown() ?? []);
            const test = { at: new Date().toISOString(), kit: kitOf()?.id ?? null, note: null, values: entries(), confirmed };
            const written = await keeping.write(device, id, test, typed);
            show(written?.values ?? typed, written === null);
        } catch (error) {
            if (isGone) return;
            if (isProblem(error) && error.code === "please-confirm") ask([]);
            else problem.show(unkeptText(context, error));
        } finally {
            button.setBusy(false);
        }
    }

    /** @param {string[]} names What is far from its last value; none where the service has found it. */
    function ask(names) {
        const yes = createButton({ text: t("byHand.sure"), press: () => void save(true) });
        question.replaceChildren(
            createShape("fault"),
            h("p", null, names.length > 0 ? t("byHand.askNamed", { names: names.join(", ") }) : t("byHand.ask")),
            yes.element,
        );
        yes.element.focus();
    }

    /**
     * @param {readonly HandValue[]} values
     * @param {boolean} isWaiting Whether the service has not answered yet.
     */
    function show(values, isWaiting) {
        if (isGone) return;
        timer.stop();
        isKept = isWaiting;
        if (!isWaiting) id = randomKey();
        const items = values.map((value) => {
            const parameter = store.parameterOf(device, value.parameter);
            const name = t(`water.${value.parameter}_full`);
            const text = handText(context, value, parameter);
            const shape = value.finding === "low" || value.finding === "high" ? value.finding : "fine";
            return h(
                "li",
                { class: "hand-finding", "data-finding": value.finding },
                createShape(shape),
                h("p", null, t(`byHand.finding_${value.finding}`, { name, value: text })),
            );
        });
        const heading = h("h2", { class: "name", tabindex: "-1" }, t(isWaiting ? "byHand.kept" : "byHand.saved"));
        const later = isWaiting ? h("p", { class: "quiet" }, t("byHand.kept_text")) : "";
        page.body.replaceChildren(heading, later, h("ul", { class: "hand-findings" }, items), waiting.element, createEmpty("", { text: t("byHand.done"), href: "/", isPrimary: true }));
        heading.focus();
    }

    /** What was kept here is told as the service has it, once that has answered. */
    function follow() {
        const own = keeping.waiting.value.find(({ test }) => test.id === id);
        // What was refused after it was kept is among the others, with a way on; what is refused at once can be mended in its rows.
        waiting.update(isKept && own?.state === "refused" ? "" : id);
        if (!isKept || own) return;
        const taken = keeping.shown.value.get(device)?.find((test) => test.id === id);
        if (taken) show(taken.values, false);
    }

    const end = effect([keeping.waiting, keeping.shown], follow);
    void load();
    return {
        update() {
            setText(page.heading, t("byHand.title"));
            page.setSubtitle(store.deviceOf(device)?.name ?? "");
        },
        unmount() {
            isGone = true;
            end();
            timer.stop();
        },
    };
}
