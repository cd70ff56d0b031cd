/** A reminder: what, how often, when, of which tank, and whom it reminds. It is kept on this device at once, and sent when it can be sent. */

import { randomKey } from "../../../app/api.js";
import { careOf } from "../../../app/care.js";
import { OutboxFull } from "../../../app/outbox.js";
import { createButton } from "../../../components/button/button.js";
import { createField } from "../../../components/field/field.js";
import { createList, createRow } from "../../../components/list-row/list-row.js";
import { createBack, createEmpty, createProblem } from "../../../components/page/page.js";
import { openChoice } from "../../../components/picker/choice.js";
import { createShape } from "../../../components/shape/shape.js";
import { h, set } from "../../../page/dom.js";
import { effect } from "../../../page/signals.js";
import { activities } from "../../../water/care.js";
import { clockText, personText } from "../../../water/care-words.js";
import { mayAct } from "../../../water/projects.js";
import { minutesOf } from "../../../water/quiet.js";
import { rhythmText } from "../../../water/rhythm.js";
import { listed } from "../../../words/sentence.js";
import { createHistory } from "./history.js";
import { createNext } from "./next.js";
import { createOften } from "./often.js";
import { blank, clashOf } from "./plan.js";
import { choosePeople, knowsOneself } from "./who.js";

/** @typedef {import("../../../water/care.js").Reminder} Reminder */

/** So many of the usual things are offered at first. */
const firstChips = 3;

/**
 * @param {HTMLElement} root
 * @param {import("../../../app/context.js").Context} context
 * @param {Record<string, string>} params
 */
export function mount(root, context, params) {
    const { t, store, format } = context;
    const care = careOf(context);
    const isNew = params.reminder === undefined;
    context.title(t(isNew ? "care.make" : "care.change"));
    const heading = h("h1", { tabindex: "-1" }, t(isNew ? "care.make" : "care.change"));
    const body = h("div", { class: "care-form" });
    const page = h(
        "div",
        { class: "single" },
        h("header", { class: "screen-bar column" }, createBack(context, "/care"), h("div", { class: "screen-bar-name" }, heading), h("span", { class: "care-bar-end" })),
        h("div", { class: "column" }, body),
    );
    root.replaceChildren(page);
    /** @type {(() => void) | null} */
    let end = null;

    /** What another screen proposes: `?tank=pond-1&activity=calibrate&days=30`. */
    const asked = new URLSearchParams(isNew ? location.search : "");

    /** @param {Reminder} empty @returns {Reminder} */
    function proposed(empty) {
        const [activity, days] = [asked.get("activity") ?? "", Number(asked.get("days"))];
        if (!activities.includes(activity) || !Number.isInteger(days) || days < 1 || days > 366) return empty;
        return { ...empty, activity, name: t(`care.activity_${activity}`), rhythm: { afterDone: days } };
    }

    /** Begins once it is known what there is to change, and which tanks there are. */
    function begin() {
        if (end) return;
        const devices = store.devices.value;
        const answer = care.shown.value;
        const { trouble } = care.known.value;
        if (!devices || !isNew && !answer && trouble === null) return;
        const own = devices.filter(mayAct);
        const tank = [asked.get("tank"), store.current.value?.id].map((id) => own.find((device) => device.id === id)).find(Boolean) ?? own[0];
        const found = answer?.reminders.find(({ id }) => id === params.reminder);
        if (isNew ? !tank && devices.length > 0 : found && !mayAct(store.deviceOf(found.device))) {
            return body.replaceChildren(createEmpty(t("projects.only_look"), { text: t("care.title"), href: "/care" }));
        }
        if (isNew ? !tank : !found) {
            const text = isNew ? t("care.noTank") : trouble !== null && !answer ? context.explain(trouble, "read") : t("care.unknown");
            return body.replaceChildren(createEmpty(text, isNew ? { text: t("home.empty_link"), href: "/devices/link", isPrimary: true } : { text: t("care.title"), href: "/care" }));
        }
        const first = found ?? proposed(blank(randomKey(), tank.id, Date.now(), format.zone));
        end = fill(body, context, care, first, isNew);
    }

    const stop = effect([store.devices, care.shown, care.known], begin);
    if (!isNew) void care.read();
    return {
        unmount() {
            stop();
            end?.();
        },
    };
}

/**
 * @param {HTMLElement} body
 * @param {import("../../../app/context.js").Context} context
 * @param {import("../../../app/care.js").Care} care
 * @param {Reminder} first
 * @param {boolean} isNew
 * @returns {() => void} What ends it.
 */
function fill(body, context, care, first, isNew) {
    const { t, store } = context;
    let draft = first;
    const name = createField({ label: t("care.what"), name: "name", value: first.name, placeholder: t("care.activity_waterChange"), maxlength: 64, onInput: () => change({ name: name.value }) });
    const chips = activities.map((activity) => ({
        activity,
        button: h("button", { class: "care-chip", type: "button", onclick: () => chooseActivity(activity) }, t(`care.activity_${activity}`)),
    }));
    const others = h("button", { class: "care-chip", type: "button", onclick: showAll }, t("care.activities", { count: activities.length - firstChips }));
    const often = createOften(context, first, (rhythm) => change({ rhythm }));
    const tank = createRow({ name: t("care.tank"), value: "", press: chooseTank });
    const time = createField({ label: t("care.time"), name: "at", type: "time", value: first.at, onInput: () => minutesOf(time.value) !== null && change({ at: time.value.slice(0, 5) }) });
    const who = createRow({ name: t("care.who"), value: "", press: () => choosePeople(context, care, draft, (people) => change({ who: people })) });
    const clash = h("p", { class: "care-clash", role: "status", hidden: true });
    const next = createNext(context, care);
    const problem = createProblem();
    const button = createButton({ text: t(isNew ? "care.make_do" : "common.save"), busyText: t("common.saving"), kind: "primary", isLarge: true, isSubmit: true });
    const form = h(
        "form",
        { class: "form", novalidate: true },
        h("div", null, name.element, h("div", { class: "care-chips" }, ...chips.map(({ button }) => button), others)),
        often.element,
        h("div", { class: "care-facts" }, createList(tank.element, who.element), time.element),
        h("div", { class: "care-next" }, next.element, clash),
        problem.element,
        button.element,
    );
    const history = isNew ? null : createHistory(context, care, first);
    body.replaceChildren(form, ...history ? [history.element] : []);
    form.addEventListener("submit", save);

    /** Whether all usual things are offered. */
    let isWhole = activities.indexOf(first.activity) >= firstChips && !isNew;

    function showAll() {
        isWhole = true;
        show();
        chips[firstChips].button.focus();
    }

    /** @param {Partial<Reminder>} part */
    function change(part) {
        draft = { ...draft, ...part };
        show();
    }

    /** @param {string} activity */
    function chooseActivity(activity) {
        const texts = activities.map((one) => t(`care.activity_${one}`));
        // A name of the person's own stays.
        const isOwn = name.value.trim() !== "" && !texts.includes(name.value.trim());
        if (!isOwn) name.value = activity === "other" ? "" : t(`care.activity_${activity}`);
        name.setFault(null);
        change({ activity, name: name.value });
        if (activity === "other" && !isOwn) name.focus();
    }

    function chooseTank() {
        openChoice(context, {
            title: t("care.tank"),
            options: (store.devices.value ?? []).filter(mayAct).map(({ id, name }) => ({ value: id, text: name })),
            value: draft.device,
            onChoose: (device) => {
                change({ device, who: isNew ? null : [] });
                return Promise.resolve();
            },
        });
    }

    function whoText() {
        const usual = store.deviceOf(draft.device)?.role === "owner" ? t("care.you") : t("care.who_usual");
        if (!draft.who) return usual;
        return draft.who.length === 0 ? t("care.who_none") : listed(context, draft.who.map((by) => personText(context, by)));
    }

    function show() {
        chips.forEach(({ activity, button }, index) => {
            set(button, "aria-pressed", String(activity === draft.activity));
            set(button, "hidden", !isWhole && index >= firstChips);
        });
        set(others, "hidden", isWhole);
        tank.update({ value: store.deviceOf(draft.device)?.name ?? draft.device });
        who.update({ value: whoText() });
        // Who one is among them has to be known, so that one is not left out.
        set(who.element, "hidden", !knowsOneself(care, draft.device));
        next.update(draft);
        const other = clashOf(care.shown.value?.reminders ?? [], draft);
        set(clash, "hidden", other === null);
        clash.replaceChildren(...other === null ? [] : [
            createShape("late"),
            h("span", null, t("care.clash", { name: other.name, rhythm: rhythmText(context, other.rhythm), time: clockText(context, other.at) })),
        ]);
    }

    /** @param {Event} event */
    async function save(event) {
        event.preventDefault();
        problem.show("");
        if (name.value.trim() === "") {
            name.setFault({ what: t("care.nameMissing") });
            return name.focus();
        }
        if (minutesOf(time.value) === null) {
            time.setFault({ what: t("care.timeMissing") });
            return time.focus();
        }
        try {
            const reminder = { ...draft, name: name.value.trim() };
            await care.save(reminder);
            await context.navigate("/care", { replace: true });
            context.toast({ text: t(isNew ? "care.planned" : "care.changed", { name: reminder.name }) });
        } catch (error) {
            problem.show(error instanceof OutboxFull ? t("care.full") : context.explain(error));
        }
    }

    /** What there is already for a tank is known when it comes. */
    const end = effect([care.shown, store.devices], show);
    return () => {
        end();
        next.end();
        history?.end();
    };
}
