/** Settings: how the app looks and speaks, and the parameters of a device. Changes hold at once. */

import { actingAs } from "../../app/acting.js";
import { readUnseen } from "../../app/happened.js";
import { createButton } from "../../components/button/button.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { createTabPage } from "../../components/page/page.js";
import { openChoice } from "../../components/picker/choice.js";
import { createSegmented } from "../../components/segmented/segmented.js";
import { setInk } from "../../drawing/ink.js";
import { languages } from "../../lang/languages.js";
import { h } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { isShown } from "../../water/headline.js";
import { mayAct } from "../../water/projects.js";
import { spanOf, spanText } from "../../water/quiet.js";
import { rhythmText } from "../../water/summary.js";
import { rangeText } from "../../water/range-text.js";
import { isProblem } from "../../words/problem.js";
import { createCallRows } from "./calls.js";
import { askForZone } from "./zone.js";

/** @typedef {import("../../app/known.js").Settings} Settings */

const minutes = [1, 5, 10, 15, 30, 60, 120, 360, 1440];

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, store, format } = context;
    context.title(t("settings.title"));
    const page = createTabPage({ title: t("settings.title"), lead: t("settings.lead") });
    const scheme = createSegmented({
        label: t("settings.scheme"),
        options: /** @type {const} */ (["system", "light", "dark"]).map((value) => ({ value, text: t(`settings.scheme_${value}`) })),
        value: store.settings.value?.colourScheme ?? "system",
        onChoose: (colourScheme) => change({ colourScheme }),
    });
    const language = createRow({
        name: t("settings.language"),
        icon: "globe",
        value: "",
        press: () =>
            openChoice(context, {
                title: t("settings.language"),
                options: Object.entries(languages).map(([value, text]) => ({ value, text, lang: value })),
                value: store.settings.value?.language ?? t.language,
                onChoose: (value) => change({ language: value }),
            }),
    });
    const zone = createRow({
        name: t("settings.zone"),
        icon: "clock",
        value: "",
        press: () => askForZone(context, (timeZone) => change({ timeZone })),
    });
    const throttle = createRow({
        name: t("settings.throttle"),
        icon: "alerts",
        value: "",
        press: () =>
            openChoice(context, {
                title: t("settings.throttle"),
                lead: t("settings.throttle_text"),
                options: [
                    { value: "", text: t("settings.throttle_standard") },
                    ...minutes.map((count) => ({ value: String(count * 60), text: format.duration(count * 60_000) })),
                ],
                value: String(store.settings.value?.throttleSeconds ?? ""),
                onChoose: (value) => change({ throttleSeconds: value === "" ? null : Number(value) }),
            }),
    });
    const notifications = createRow({ name: t("notifications.title"), icon: "phone", href: "/settings/notifications" });
    const quietHours = createRow({ name: t("quiet.title"), icon: "moon", href: "/settings/quiet-hours" });
    const summary = createRow({ name: t("summary.title"), icon: "message", href: "/settings/summary" });
    const calendar = createRow({ name: t("feed.title"), icon: "care", href: "/settings/calendar" });
    const account = createRow({ name: t("account.title"), icon: "person", href: "/settings/account" });
    const projects = createRow({ name: t("projects.title"), icon: "people", href: "/settings/projects" });
    const presets = createRow({ name: t("presets.title"), icon: "devices", href: "/settings/presets" });
    const changes = createRow({ name: t("audit.title"), icon: "clock", href: "/settings/account/changes" });
    const acting = actingAs();
    const calls = createCallRows(context);
    const parameters = h("section");
    // What is a person's own is not offered while they act as a project.
    const own = acting ? [h("p", { class: "rows-note" }, t("projects.acting_settings", { name: acting.name })), createList(presets.element, changes.element, projects.element)] : [
        h("h2", { class: "section-head" }, t("settings.look")),
        h("div", { class: "settings-scheme surface" }, scheme.element),
        h("div", { class: "settings-gap" }),
        createList(language.element, zone.element),
        h("h2", { class: "section-head" }, t("settings.told")),
        createList(notifications.element, quietHours.element, summary.element, calendar.element, throttle.element),
        calls.element,
        h("h2", { class: "section-head" }, t("settings.you")),
        createList(account.element, projects.element, presets.element),
    ];
    const operation = h("section", { hidden: true }, h("h2", { class: "section-head" }, t("operation.title")), createList(
        createRow({ name: t("operation.title"), detail: t("operation.row"), icon: "eye", href: "/settings/operation" }).element,
    ));
    page.body.append(...own, parameters, operation);
    root.replaceChildren(...page.parts);
    if (!acting) {
        void tellNews();
        void store.quiet.read();
        void store.summary.read();
    }

    /** When alerts wait, once it is known. */
    function tellQuiet() {
        const { told } = store.quiet.known.value;
        if (told) quietHours.update({ value: told.hours ? spanText(format, spanOf(told.hours)) : t("quiet.off") });
    }

    /** When a summary comes, once it is known. */
    function tellSummary() {
        const { told } = store.summary.known.value;
        if (told) summary.update({ value: rhythmText(context, told) });
    }

    /** Says that something happened on the account that was not done here, until the person has looked. */
    async function tellNews() {
        try {
            const count = (await readUnseen(context)).length;
            if (count > 0) account.update({ detail: t("account.news", { count }) });
        } catch {
            // The account's own screen says why it cannot be read.
        }
    }

    /** @param {Partial<Settings>} next */
    async function change(next) {
        try {
            await store.changeSettings(next);
        } catch (error) {
            if (isProblem(error) && error.status === 412) {
                await store.readSettings().catch(() => {});
                context.toast({ text: t("common.changedElsewhere") });
            } else context.toast({ text: context.explain(error) });
            update();
        }
    }

    /** The device whose parameters are listed: the one of the address, else the one of the home screen. */
    let device = decodeURIComponent(location.hash.slice(1)) || null;
    let shown = "";

    function update() {
        const settings = store.settings.value;
        if (settings) {
            scheme.show(settings.colourScheme);
            language.update({ value: languages[settings.language] ?? settings.language });
            zone.update({ value: settings.timeZone.replaceAll("_", " ") });
            throttle.update({
                value: settings.throttleSeconds === null
                    ? t("settings.throttle_standardShort")
                    : t("settings.throttle_every", { span: format.duration(settings.throttleSeconds * 1000) }),
            });
        }
        const devices = store.devices.value ?? [];
        const chosen = devices.find(({ id }) => id === device) ?? devices.find(({ id }) => id === store.current.value?.id) ?? null;
        const list = chosen ? store.parameters.value.get(chosen.id)?.items ?? [] : [];
        // Parameters that are neither measured nor limited stand apart.
        const idle = new Set(store.tanks.value?.find(({ id }) => id === chosen?.id)?.gauges.filter((gauge) => !isShown(gauge)).map(({ name }) => name));
        const key = JSON.stringify([chosen?.id, chosen?.name, mayAct(chosen), devices.length, list, [...idle]]);
        if (key === shown) return;
        shown = key;
        if (!chosen) return parameters.replaceChildren();
        /** @param {import("../../water/tanks.js").Parameter} parameter */
        const rowOf = (parameter) => {
            const swatch = h("span", { class: "settings-ink" });
            setInk(swatch, parameter.colour);
            const row = createRow({
                name: t(`water.${parameter.name}_full`),
                value: rangeText(context, parameter),
                href: `/settings/${encodeURIComponent(chosen.id)}/${parameter.name}`,
            });
            row.inside.prepend(h("span", { class: "row-lead" }, swatch));
            return row.element;
        };
        parameters.replaceChildren(
            h(
                "div",
                { class: "settings-head" },
                h("h2", { class: "section-head" }, t("settings.parameters", { name: chosen.name })),
                devices.length > 1
                    ? h("button", {
                        class: "button button-text small",
                        type: "button",
                        onclick: () =>
                            openChoice(context, {
                                title: t("settings.device"),
                                options: devices.map(({ id, name }) => ({ value: id, text: name })),
                                value: chosen.id,
                                onChoose: (value) => {
                                    device = value;
                                    update();
                                    return Promise.resolve();
                                },
                            }),
                    }, t("settings.otherDevice"))
                    : null,
            ),
            createList(...list.filter(({ name }) => !idle.has(name)).map(rowOf)),
            h(
                "details",
                { class: "settings-idle", hidden: idle.size === 0 },
                h("summary", null, t("settings.idle", { count: idle.size })),
                createList(...list.filter(({ name }) => idle.has(name)).map(rowOf)),
            ),
            mayAct(chosen)
                ? h("div", { class: "settings-reset" }, createButton({ text: t("settings.reset"), kind: "text", press: () => reset(chosen) }).element)
                : "",
        );
    }

    /** @param {import("../../water/tanks.js").Device} chosen */
    async function reset(chosen) {
        const agrees = await context.confirm({
            title: t("settings.reset_title", { name: chosen.name }),
            text: t("settings.reset_text"),
            action: t("settings.reset_do"),
            isGrave: true,
        });
        if (!agrees) return;
        try {
            await store.resetParameters(chosen.id);
            context.toast({ text: t("settings.reset_done") });
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
    }

    const end = effect([store.settings, store.devices, store.parameters, store.current], update);
    const endQuiet = effect([store.quiet.known], tellQuiet);
    const endSummary = effect([store.summary.known], tellSummary);
    const endOperation = effect([store.account], () => operation.hidden = acting !== null || store.account.value?.isOperator !== true);
    return {
        unmount() {
            end();
            endQuiet();
            endSummary();
            endOperation();
            calls.remove();
        },
    };
}
