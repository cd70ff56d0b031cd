/** Quiet hours: when alerts wait, what rings anyway, and what waits now. Changes hold at once. */

import { createDays } from "../../components/days/days.js";
import { createDial } from "../../components/dial/dial.js";
import { createField } from "../../components/field/field.js";
import { createBlankList, createList, createRow } from "../../components/list-row/list-row.js";
import { createProblem, createSubPage } from "../../components/page/page.js";
import { createShape } from "../../components/shape/shape.js";
import { createSwitch } from "../../components/switch/switch.js";
import { h, set, setText } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { createSlot } from "../../page/slot.js";
import { cityOf, daysWith, isPast, lengthOf, minutesOf, spanOf, spanText, standingText, timeOf, usual } from "../../water/quiet.js";
import { isProblem } from "../../words/problem.js";
import { anyway, openRinging, openWaiting } from "./lists.js";

/** @typedef {import("../../water/quiet.js").End} End */
/** @typedef {import("../../water/quiet.js").Hours} Hours */

const ends = /** @type {const} */ (["from", "until"]);
/** An end that is turned has to rest so long before the service is told. */
const rest = 600;
/** What changes by the passing of time alone is seen so soon. */
const beat = 30_000;

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, store, format } = context;
    const { quiet } = store;
    context.title(t("quiet.title"));
    const page = createSubPage(context, { title: t("quiet.title"), back: "/settings" });
    const problem = createProblem({ text: t("common.retry"), press: () => void quiet.read() });
    const standing = h("span");
    const status = h("p", { class: "quiet-standing", role: "status", hidden: true }, createShape("snoozed"), standing);
    const age = h("p", { class: "quiet-standing small quiet", hidden: true });
    const blank = createBlankList(2);
    /** What was turned off is what is turned on again. @type {Hours} */
    let former = usual;
    /** The hours of the screen while an end is turned or typed, before the service is told. @type {Hours | null} */
    let draft = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let resting;
    let hasEnded = false;

    const toggle = createSwitch({ label: t("quiet.title"), isOn: false, onTurn: (isOn) => save(isOn ? former : null) });
    const row = createRow({ name: t("quiet.title"), detail: t("quiet.lead"), isOpen: true, control: toggle.element });
    const switching = createList(row.element);
    const dial = createDial({
        label: t("quiet.title"),
        names: { from: t("quiet.from"), until: t("quiet.until") },
        textOf: format.timeOfDay,
        onTurn({ from, until }) {
            const hours = present();
            if (hours) draw({ ...hours, from: timeOf(from), until: timeOf(until) });
        },
        onRest: settle,
    });
    const fields = { from: timeField("from"), until: timeField("until") };
    const days = createDays({ label: t("quiet.days"), locale: format.locale, onChoose: chooseDay });
    const rings = createSlot(h("div", { class: "quiet-rows" }));
    const silence = createSwitch({
        label: t("quiet.silence"),
        isOn: true,
        onTurn(silenceRings) {
            const hours = present();
            if (hours) save({ ...hours, silenceRings });
        },
    });
    const parts = h(
        "div",
        { hidden: true },
        h(
            "div",
            { class: "quiet-times surface" },
            dial.element,
            h("div", { class: "quiet-fields" }, fields.from.element, fields.until.element),
            days.element,
            h("p", { class: "small quiet", "aria-hidden": "true" }, t("quiet.days")),
        ),
        h("h2", { class: "section-head" }, t("quiet.during")),
        rings.element,
        h("div", { class: "quiet-gap" }),
        createList(
            createRow({ name: t("quiet.silence"), detail: t("quiet.silence_text"), control: silence.element }).element,
            createRow({ name: t("quiet.ways"), detail: t("quiet.ways_text"), href: "/settings/notifications" }).element,
        ),
        h("p", { class: "rows-note" }, t("quiet.note")),
    );
    page.body.append(problem.element, status, age, blank, switching, parts);
    root.replaceChildren(...page.parts);

    /** @param {End} end */
    function timeField(end) {
        const field = createField({ label: t(`quiet.${end}`), name: end, type: "time", onInput: () => typed(end) });
        field.input.addEventListener("blur", () => {
            if (minutesOf(field.value) === null) show();
        });
        return field;
    }

    /** The hours that the screen shows; null where there are none. */
    function present() {
        return draft ?? quiet.known.value.told?.hours ?? null;
    }

    /** @param {End} end */
    function typed(end) {
        const [field, other] = end === "from" ? [fields.from, fields.until] : [fields.until, fields.from];
        const minutes = minutesOf(field.value);
        const hours = present();
        if (minutes === null || hours === null) return;
        const another = minutesOf(other.value) ?? minutesOf(hours[other === fields.from ? "from" : "until"]) ?? 0;
        if (minutes === another) {
            clearTimeout(resting);
            return field.setFault({ what: t("quiet.same") });
        }
        const [from, until] = end === "from" ? [minutes, another] : [another, minutes];
        draw({ ...hours, from: timeOf(from), until: timeOf(until) });
        settle();
    }

    /** @param {string} day */
    function chooseDay(day) {
        const hours = present();
        if (!hours) return;
        const next = daysWith(hours.days, day);
        if (next) save({ ...hours, days: next });
        else context.toast({ text: t("quiet.oneDay") });
    }

    /**
     * Shows hours that the service is told later.
     * @param {Hours} next
     */
    function draw(next) {
        clearTimeout(resting);
        draft = next;
        for (const field of Object.values(fields)) field.setFault(null);
        show();
    }

    function settle() {
        clearTimeout(resting);
        resting = setTimeout(finish, rest);
    }

    function finish() {
        clearTimeout(resting);
        if (draft) save(draft);
    }

    /** @param {Hours | null} hours */
    async function save(hours) {
        const before = present();
        if (before) former = before;
        clearTimeout(resting);
        draft = null;
        try {
            await quiet.change(hours);
            // Turning quiet hours off may send the alerts that waited: the list of them is read again.
            if (!hours) void quiet.read();
        } catch (error) {
            context.toast({ text: context.explain(error) });
            if (hasEnded) return;
            const holds = quiet.known.value.told?.hours;
            if (holds) for (const end of ends) fields[end].value = holds[end];
            show();
        }
    }

    function show() {
        const { told, seenAt, isOld, trouble } = quiet.known.value;
        const now = Date.now();
        // The notice dates what an old answer shows; a problem is told only where there is nothing to show.
        problem.show(trouble === null || (isOld && !isProblem(trouble)) ? "" : context.explain(trouble, "read"));
        set(blank, "hidden", told !== null || trouble !== null);
        set(switching, "hidden", told === null);
        set(age, "hidden", !isOld);
        setText(age, isOld ? t("devices.old", { at: format.at(seenAt, now) }) : "");
        const text = told && !isOld ? standingText(context, told, now) : "";
        set(status, "hidden", text === "");
        setText(standing, text);
        const hours = present();
        toggle.show(hours !== null);
        set(parts, "hidden", told === null || hours === null);
        if (told === null || hours === null) return;
        const span = spanOf(hours);
        const length = format.duration(lengthOf(span) * 60_000);
        dial.update(span, { hours: spanText(format, span), length: t("quiet.length", { span: length, city: cityOf(told.timeZone) }) });
        for (const end of ends) {
            const field = fields[end];
            // Whoever types in it knows better.
            if (document.activeElement !== field.input && field.value !== hours[end]) field.value = hours[end];
        }
        days.show(hours.days);
        silence.show(hours.silenceRings);
        const { name, detail, count, isNone, href } = anyway(context, hours);
        rings.update([name, detail, count, href, hours.until], () => {
            const ringing = createRow(
                isNone
                    ? { name, detail, shape: "fault", href }
                    : { name, detail, shape: "high", value: String(count), press: () => openRinging(context, present() ?? hours) },
            );
            if (isNone) ringing.element.classList.add("quiet-none");
            const waits = createRow({
                name: t("quiet.waits", { time: format.placedTimeOfDay(span.until) }),
                detail: t("quiet.waits_text"),
                shape: "snoozed",
                press: () => openWaiting(context, present() ?? hours),
            });
            return [createList(ringing.element, waits.element)];
        });
    }

    /** What cannot be read now is read as soon as it can be, and what has passed is read again. */
    function follow() {
        const { told, isOld } = quiet.known.value;
        const { state } = store.connection.value;
        if (state !== "offline" && state !== "noAnswer" && (isOld || told && isPast(told, Date.now()))) void quiet.read();
    }

    const end = effect([quiet.known, store.parameters, store.devices], show);
    const endNews = effect([store.alertNews, store.settings], () => void quiet.read());
    const endConnection = store.connection.subscribe(follow);
    const timer = setInterval(() => {
        follow();
        show();
    }, beat);
    return {
        unmount() {
            hasEnded = true;
            finish();
            end();
            endNews();
            endConnection();
            clearInterval(timer);
        },
    };
}
