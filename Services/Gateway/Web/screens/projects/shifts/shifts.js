/** The shifts of a project: who is told now, the coming week, the shifts themselves, and swaps. */

import { projectsOf } from "../../../app/projects.js";
import { createBlankList, createList, createRow } from "../../../components/list-row/list-row.js";
import { createProblem, createSubPage } from "../../../components/page/page.js";
import { createShape } from "../../../components/shape/shape.js";
import { createSwitch } from "../../../components/switch/switch.js";
import { h } from "../../../page/dom.js";
import { isAdministrator } from "../../../water/projects.js";
import { cityOf } from "../../../water/quiet.js";
import { gapTexts, shiftText, standingText } from "../../../water/shifts.js";
import { openShift } from "./form.js";
import { swapsOf } from "./swaps.js";
import { weekOf } from "./week.js";

/**
 * The knowledge that the parts of the screen are given.
 * @typedef {object} Scene
 * @property {import("../../../app/context.js").Context} context
 * @property {string} id The project's.
 * @property {import("../../../water/shifts.js").Rota} rota
 * @property {string | null} tag
 * @property {readonly import("../../../water/projects.js").Member[]} members
 * @property {boolean} mayAct Whether the person may act for the project.
 * @property {(member: string) => string} nameOf
 * @property {() => Promise<void>} read Reads the shifts again, after a change.
 * @property {(change: () => Promise<unknown>) => Promise<void>} perform Runs a change, tells why it failed, and reads again.
 */

/** Changes by the passing of time alone are seen so soon. */
const beat = 30_000;
/** As many stretches without anybody are named. */
const mostGaps = 4;

/**
 * @param {HTMLElement} root
 * @param {import("../../../app/context.js").Context} context
 * @param {Record<string, string>} params
 */
export function mount(root, context, { project: id }) {
    const { t } = context;
    const projects = projectsOf(context);
    context.title(t("shifts.title"));
    const page = createSubPage(context, { title: t("shifts.title"), back: `/settings/projects/${encodeURIComponent(id)}` });
    const problem = createProblem({ text: t("common.retry"), press: () => void read() });
    const body = h("div", null, createBlankList(3));
    page.body.append(h("p", { class: "rows-note" }, t("shifts.lead")), problem.element, body);
    root.replaceChildren(...page.parts);
    /** @type {Awaited<ReturnType<typeof projects.shifts>> | null} */
    let known = null;
    let hasEnded = false;

    async function read() {
        problem.show("");
        try {
            known = await projects.shifts(id);
            if (known.isOld) problem.show(t("projects.old"));
        } catch (error) {
            if (hasEnded) return;
            problem.show(context.explain(error, "read"));
            if (known === null) body.replaceChildren();
        }
        show();
    }

    /** @param {() => Promise<unknown>} change */
    async function perform(change) {
        try {
            await change();
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
        await read();
    }

    function show() {
        if (hasEnded || known === null) return;
        const { rota, tag, members, project } = known;
        const mayAct = isAdministrator(project.role);
        /** @type {Scene} */
        const scene = { context, id, rota, tag, members, mayAct, nameOf: (member) => nameIn(members, member), read, perform };
        // The focus stays on the row whose value has just changed.
        const focused = [...body.querySelectorAll("button, a")].indexOf(/** @type {Element} */ (document.activeElement));
        body.replaceChildren(standing(scene), ...weekOf(scene), ...shiftRows(scene), ...swapsOf(scene), own(scene));
        if (focused >= 0) /** @type {HTMLElement | undefined} */ ([...body.querySelectorAll("button, a")][focused])?.focus();
    }

    /** @param {readonly import("../../../water/projects.js").Member[]} members @param {string} member */
    function nameIn(members, member) {
        const found = members.find((one) => one.id === member);
        if (!found) return t("shifts.former");
        return found.isMe ? t("projects.me", { name: found.name }) : found.name;
    }

    /** Whether the person is told at all times. @param {Scene} scene */
    function own({ rota }) {
        const toggle = createSwitch({
            label: t("shifts.always"),
            isOn: rota.always,
            onTurn: (isOn) => void perform(() => projects.tellAlways(id, isOn)),
        });
        return createList(createRow({ name: t("shifts.always"), detail: t("shifts.always_text"), control: toggle.element }).element);
    }

    void read();
    const timer = setInterval(() => {
        // A sheet that is open is about what was shown when it was opened.
        if (!document.hidden && !document.querySelector("dialog[open]") && navigator.onLine) void read();
    }, beat);
    return {
        unmount() {
            hasEnded = true;
            clearInterval(timer);
        },
    };
}

/** Who is told now, and when nobody is on shift. @param {Scene} scene */
function standing({ context, rota, nameOf }) {
    const { t } = context;
    const now = Date.now();
    const gaps = gapTexts(context, rota, now);
    return h(
        "div",
        { class: "shifts-standing surface" },
        h("p", { role: "status" }, standingText(context, rota, nameOf, now)),
        ...gaps.slice(0, mostGaps).map((text) => h("p", { class: "shifts-gap small" }, createShape("fault"), h("span", null, text))),
        gaps.length > mostGaps ? h("p", { class: "small quiet" }, t("shifts.gaps_more", { count: gaps.length - mostGaps })) : null,
    );
}

/** The shifts, which those change who may act for the project. @param {Scene} scene */
function shiftRows(scene) {
    const { context, rota, mayAct } = scene;
    const { t } = context;
    const rows = rota.shifts.map((shift) =>
        createRow({
            name: shift.name,
            detail: shiftText(context, shift),
            value: t("projects.people", { count: shift.members.length }),
            press: mayAct ? () => openShift(scene, shift) : undefined,
        }).element
    );
    if (rows.length === 0 && !mayAct) return [];
    return [
        h("h2", { class: "section-head" }, t("shifts.list")),
        createList(...rows, mayAct && createRow({ name: t("shifts.add"), icon: "plus", isAction: true, press: () => openShift(scene, null) }).element),
        rota.timeZone === context.format.zone ? null : h("p", { class: "rows-note" }, t("shifts.zone", { city: cityOf(rota.timeZone) })),
    ].filter((part) => part !== null);
}
