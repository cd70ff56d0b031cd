/** Turns that one takes of another: those that are taken, and giving or taking one. */

import { projectsOf } from "../../../app/projects.js";
import { createList, createRow } from "../../../components/list-row/list-row.js";
import { createChoices } from "../../../components/picker/choice.js";
import { h } from "../../../page/dom.js";
import { dayNamed, mayGiveBack, swappable, turnText } from "../../../water/shifts.js";

/** @typedef {import("./shifts.js").Scene} Scene */
/** @typedef {import("../../../water/shifts.js").Turn} Turn */

/** @param {Scene} scene */
export function swapsOf(scene) {
    const { context, rota, members, mayAct, nameOf } = scene;
    const { t } = context;
    const me = members.find(({ isMe }) => isMe);
    if (!me || rota.shifts.length === 0) return [];
    const taken = rota.covers.map((cover) =>
        createRow({
            name: t("shifts.instead", { name: nameOf(cover.member), other: nameOf(cover.from) }),
            detail: [shiftName(scene, cover.shift), dayNamed(context, cover.day)].join(" · "),
            press: mayGiveBack(cover, me, mayAct) ? () => giveBack(scene, cover) : undefined,
        }).element
    );
    const offered = swappable(rota, me, Date.now());
    if (taken.length === 0 && offered.length === 0) return [];
    return [
        h("h2", { class: "section-head" }, t("shifts.swaps")),
        createList(
            ...taken,
            offered.length > 0 && createRow({ name: t("shifts.swap"), icon: "person", isAction: true, press: () => openSwap(scene, offered, me) }).element,
        ),
    ];
}

/** @param {Scene} scene @param {string} id */
const shiftName = ({ rota }, id) => rota.shifts.find((shift) => shift.id === id)?.name ?? "";

/**
 * @param {Scene} scene
 * @param {import("../../../water/shifts.js").Cover} cover
 */
async function giveBack(scene, cover) {
    const { context, id, nameOf, perform } = scene;
    const { t } = context;
    const agrees = await context.confirm({
        title: t("shifts.back", { name: nameOf(cover.from) }),
        text: [shiftName(scene, cover.shift), dayNamed(context, cover.day)].join(" · "),
        action: t("shifts.back_do"),
    });
    if (agrees) await perform(() => projectsOf(context).cover(id, { ...cover, member: cover.from }));
}

/**
 * @param {Scene} scene
 * @param {ReturnType<typeof swappable>} offered
 * @param {import("../../../water/projects.js").Member} me
 */
function openSwap(scene, offered, me) {
    const { context, mayAct, nameOf } = scene;
    const { t } = context;
    const choices = createChoices({
        options: offered.map(({ turn, member }, index) => ({
            value: String(index),
            text: nameOf(member),
            detail: [shiftName(scene, turn.shift), turnText(context, turn, Date.now())].join(" · "),
        })),
        value: null,
        onChoose(index) {
            const { turn, member } = offered[Number(index)];
            sheet.close();
            if (member === me.id || mayAct) openTaker(scene, turn, member);
            else void take(scene, turn, member, me.id);
        },
    });
    const sheet = context.sheet({ title: t("shifts.swap"), lead: t("shifts.swap_lead"), body: [choices.element] });
}

/**
 * Asks who takes a turn.
 * @param {Scene} scene
 * @param {Turn} turn
 * @param {string} member The member whose turn it is.
 */
function openTaker(scene, turn, member) {
    const { context, id, members, nameOf, perform } = scene;
    const { t } = context;
    const choices = createChoices({
        options: members.filter((one) => !turn.members.includes(one.id)).map((one) => ({ value: one.id, text: nameOf(one.id), detail: t(`projects.role_${one.role}`) })),
        value: null,
        async onChoose(taker) {
            sheet.close();
            await perform(() => projectsOf(context).cover(id, { shift: turn.shift, day: turn.day, from: member, member: taker }));
        },
    });
    const sheet = context.sheet({
        title: t("shifts.taker"),
        lead: [shiftName(scene, turn.shift), turnText(context, turn, Date.now()), nameOf(member)].join(" · "),
        body: [choices.element],
    });
}

/**
 * @param {Scene} scene
 * @param {Turn} turn
 * @param {string} member The member whose turn it is.
 * @param {string} taker
 */
async function take(scene, turn, member, taker) {
    const { context, id, nameOf, perform } = scene;
    const { t } = context;
    const agrees = await context.confirm({
        title: t("shifts.take"),
        text: t("shifts.take_text", { name: nameOf(member), shift: shiftName(scene, turn.shift), time: turnText(context, turn, Date.now()) }),
        action: t("shifts.take_do"),
    });
    if (agrees) await perform(() => projectsOf(context).cover(id, { shift: turn.shift, day: turn.day, from: member, member: taker }));
}
