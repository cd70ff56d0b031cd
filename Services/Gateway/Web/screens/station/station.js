/** The public station whose values a place shows: which it is, how it does, what it measures, and choosing another. */

import { createField } from "../../components/field/field.js";
import { createForm } from "../../components/form/form.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { createProblem, createSubPage } from "../../components/page/page.js";
import { createChoices } from "../../components/picker/choice.js";
import { createSegmented } from "../../components/segmented/segmented.js";
import { h } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { byItself, chosen, hidden, isNew, standingOf, typed } from "../../water/station.js";
import { isProblem } from "../../words/problem.js";

/** @typedef {import("../../water/station.js").Station} Station */
/** @typedef {import("../../water/station.js").Stations} Stations */
/** @typedef {import("../../water/station.js").Series} Series */

/** How often a station that was chosen just now is looked at, and for how long. */
const [pause, looks] = [5_000, 24];

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 * @param {Record<string, string>} params
 */
export function mount(root, context, { device: id }) {
    const { api, t, store, format } = context;
    const path = `/devices/${encodeURIComponent(id)}`;
    const page = createSubPage(context, { title: t("station.title"), back: path });
    context.title(t("station.title"));
    const problem = createProblem({ text: t("common.retry"), press: () => void read() });
    const place = h("div", { "aria-live": "polite" });
    page.body.append(problem.element, place);
    root.replaceChildren(...page.parts);
    let hasEnded = false;
    let left = looks;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    /** @type {string} */
    let shown = "";

    const isOwner = () => store.deviceOf(id)?.role === "owner";

    async function read() {
        clearTimeout(timer);
        try {
            const { data } = await api.get(`${path}/station`);
            show(data);
        } catch (error) {
            if (hasEnded) return;
            if (shown === "") problem.show(context.explain(error, "read"));
        }
    }

    /** @param {Stations} told */
    function show(told) {
        if (hasEnded) return;
        problem.show("");
        if (isNew(told.station) && left > 0) {
            left -= 1;
            timer = setTimeout(() => void read(), pause);
        }
        const next = JSON.stringify([told, isOwner()]);
        if (next === shown) return;
        shown = next;
        place.replaceChildren(...told.station ? stationParts(told, told.station) : emptyParts(told));
    }

    /** @param {Stations} told */
    function emptyParts(told) {
        const lead = h("p", null, t("station.lead"));
        if (!isOwner()) return [lead, h("p", { class: "quiet" }, t("station.none_text"))];
        return [lead, told.kinds.length === 0 ? h("p", { class: "quiet" }, t("station.not_allowed")) : createChooser(told)];
    }

    /** @param {Stations} told */
    function createChooser({ kinds, hosts }) {
        let kind = kinds[0];
        const number = createField({ label: t("station.number"), name: "station", inputmode: "numeric", maxlength: 200, isCode: true });
        const address = createField({ label: t("station.address"), name: "station", type: "url", inputmode: "url", maxlength: 500 });
        number.setHint(t("station.number_hint"));
        address.setHint(t("station.address_hint", { hosts: hosts.join(", ") }));
        const form = h("div");
        const choice = createSegmented({
            label: t("station.kind"),
            options: kinds.map((value) => ({ value, text: t(`station.kind_${value}`) })),
            value: kind,
            onChoose: (value) => {
                kind = value;
                showForm();
            },
        });

        function showForm() {
            const field = kind === "usgs" ? number : address;
            form.replaceChildren(createForm(context, {
                fields: [{ name: "station", field }],
                text: t("station.take"),
                busyText: t("station.taking"),
                submit: async () => {
                    const { data } = await api.put(`${path}/station`, { kind, station: typed(field.value) });
                    left = looks;
                    show(data);
                },
            }));
        }

        showForm();
        return h("div", { class: "form" }, ...kinds.length > 1 ? [choice.element] : [], form);
    }

    /**
     * @param {Stations} told
     * @param {Station} station
     */
    function stationParts(told, station) {
        const moment = (/** @type {string} */ time) => format.moment(Date.parse(time));
        const isFaulty = station.fault !== null;
        const rows = [
            createRow({
                name: station.title ?? station.station,
                detail: station.source,
                more: [standingOf(context, station)],
                shape: isFaulty ? "fault" : isNew(station) ? undefined : "fine",
            }),
            ...station.fetchedAt ? [createRow({ name: t("station.answered"), value: moment(station.fetchedAt) })] : [],
            ...isFaulty && station.askedAt ? [createRow({ name: t("station.asked"), value: moment(station.askedAt) })] : [],
            ...isNew(station) ? [] : [createRow({ name: t("station.next"), value: moment(station.dueAt) })],
        ];
        const link = h("a", { href: station.page, target: "_blank", rel: "noopener noreferrer" }, t("station.page"));
        const parts = [createList(...rows.map(({ element }) => element)), h("p", { class: "rows-note" }, t("station.note", { source: station.source }), " ", link)];
        if (station.series.length > 0) {
            parts.push(
                h("h2", { class: "section-head" }, t("station.measures")),
                createList(...station.series.map((series) => createSeries(station, series))),
            );
        }
        if (isOwner()) {
            parts.push(createList(
                ...told.kinds.length > 0
                    ? [createRow({ name: t("station.other"), icon: "pencil", isAction: true, press: () => ask(told) }).element]
                    : [],
                createRow({ name: t("station.end"), icon: "bin", isAction: true, isGrave: true, press: end }).element,
            ));
        }
        return parts;
    }

    /**
     * @param {Station} station
     * @param {Series} series
     */
    function createSeries(station, series) {
        const { name, unit, parameter, newest } = series;
        return createRow({
            name,
            detail: [unit, newest ? t("station.newest", { at: format.at(Date.parse(newest)) }) : t("station.no_value")].filter(Boolean).join(" · "),
            value: parameter ? t(`water.${parameter}`) : t("station.hidden"),
            press: isOwner() ? () => askWhat(station, series) : undefined,
        }).element;
    }

    /**
     * @param {Station} station
     * @param {Series} series
     */
    function askWhat(station, series) {
        const names = (store.parameters.value.get(id)?.items ?? []).map(({ name }) => name);
        const fault = h("p", { class: "field-fault", role: "status" });
        const choices = createChoices({
            label: t("station.is", { name: series.name }),
            options: [
                { value: byItself, text: t("station.by_itself") },
                ...names.map((name) => ({ value: name, text: t(`water.${name}`) })),
                { value: hidden, text: t("station.hidden") },
            ],
            value: series.parameter ?? hidden,
            onChoose: (value) => void choose(value),
        });
        const sheet = context.sheet({
            title: t("station.is", { name: series.name }),
            lead: t("station.is_text", { unit: series.unit }),
            body: [choices.element, fault],
        });

        /** @param {string} choice */
        async function choose(choice) {
            try {
                const { data } = await api.put(`${path}/station`, {
                    kind: station.kind,
                    station: station.station,
                    series: chosen(station.series, series.id, choice),
                });
                left = looks;
                show(data);
                sheet.close();
            } catch (error) {
                fault.textContent = (isProblem(error) ? error.faultOf("station")?.detail : null) ?? context.explain(error);
            }
        }
    }

    /** @param {Stations} told */
    function ask(told) {
        shown = "";
        place.replaceChildren(createChooser(told));
    }

    async function end() {
        const agrees = await context.confirm({ title: t("station.end_title"), text: t("station.end_text"), action: t("station.end"), isGrave: true });
        if (!agrees) return;
        try {
            await api.delete(`${path}/station`);
            context.toast({ text: t("station.ended") });
            await read();
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
    }

    void read();
    const endDevices = effect([store.devices], () => {
        const device = store.deviceOf(id);
        page.setSubtitle(device?.name ?? "");
        // Who owns it may have become known only now.
        if (device && shown !== "" && JSON.parse(shown)[1] !== isOwner()) void read();
    });
    return {
        unmount() {
            hasEnded = true;
            clearTimeout(timer);
            endDevices();
        },
    };
}
