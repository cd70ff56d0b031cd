/** A test by hand is written down: which kit, a row for each of its parameters, and in the end what the values mean. */

import { handTestsOf } from "../../app/hand-tests.js";
import { createButton } from "../../components/button/button.js";
import { createEmpty, createProblem, createSubPage } from "../../components/page/page.js";
import { createShape, uniqueID } from "../../components/shape/shape.js";
import { h, setText } from "../../page/dom.js";
import { handText, rowsOf } from "../../water/by-hand.js";
import { isProblem } from "../../words/problem.js";
import { createKitRow } from "./kit-row.js";
import { createTimer } from "./timer.js";

/** @typedef {import("../../water/by-hand.js").Entry} Entry */
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
    const tests = handTestsOf(context);
    context.title(t("byHand.title"));
    const page = createSubPage(context, { title: t("byHand.title"), subtitle: store.deviceOf(device)?.name ?? "", back: "/" });
    const problem = createProblem({ text: t("common.retry"), press: () => void load() });
    const kitID = uniqueID();
    const select = h("select", { class: "field-input", id: kitID, onchange: choose });
    const chooser = h("div", { class: "field" }, h("label", { class: "field-label", for: kitID }, t("byHand.kit")), select);
    const timer = createTimer(context);
    const list = h("div", { class: "hand-rows" });
    const question = h("div", { class: "hand-question", role: "alert" });
    const button = createButton({ text: "", busyText: t("common.saving"), kind: "primary", press: () => void save(false) });
    root.replaceChildren(...page.parts);

    /** @type {readonly Kit[]} */
    let kits = [];
    /** @type {readonly Latest[]} */
    let latest = [];
    /** @type {ReturnType<typeof createKitRow>[]} */
    let rows = [];
    /** One id for what is on the screen: pressed twice it is one test. */
    let id = crypto.randomUUID();
    let isGone = false;

    async function load() {
        problem.show("");
        try {
            [kits, latest] = await Promise.all([tests.kits(), tests.latest(device)]);
        } catch (error) {
            if (isGone) return;
            problem.show(context.explain(error));
            page.body.replaceChildren(problem.element);
            return;
        }
        if (isGone) return;
        select.replaceChildren(
            h("option", { value: "" }, t("byHand.otherKit")),
            ...kits.map(({ id, name }) => h("option", { value: id }, name)),
        );
        select.value = latest.map(({ last }) => last).filter((last) => last !== null)
            .sort((one, other) => other.at.localeCompare(one.at))[0]?.kit ?? "";
        page.body.replaceChildren(chooser, timer.element, list, question, button.element, problem.element);
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
        button.setText(t("byHand.save", { count }));
        button.setEnabled(count > 0 && !rows.some((row) => row.isFaulty()));
    }

    /** @param {boolean} confirmed */
    async function save(confirmed) {
        const doubtful = rows.filter((row) => row.isUnlikely());
        if (!confirmed && doubtful.length > 0) return ask(doubtful.map((row) => row.name));
        problem.show("");
        button.setBusy(true);
        try {
            const kit = kitOf()?.id ?? null;
            show(await tests.write(device, id, { at: new Date().toISOString(), kit, note: null, values: entries(), confirmed }));
        } catch (error) {
            if (isGone) return;
            if (isProblem(error) && error.code === "please-confirm") ask([]);
            else problem.show(context.explain(error));
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

    /** @param {import("../../app/hand-tests.js").WrittenTest} written */
    function show({ values }) {
        if (isGone) return;
        timer.stop();
        id = crypto.randomUUID();
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
        const heading = h("h2", { class: "name", tabindex: "-1" }, t("byHand.saved"));
        page.body.replaceChildren(heading, h("ul", { class: "hand-findings" }, items), createEmpty("", { text: t("byHand.done"), href: "/", isPrimary: true }));
        heading.focus();
    }

    void load();
    return {
        update() {
            setText(page.heading, t("byHand.title"));
            page.setSubtitle(store.deviceOf(device)?.name ?? "");
        },
        unmount() {
            isGone = true;
            timer.stop();
        },
    };
}
