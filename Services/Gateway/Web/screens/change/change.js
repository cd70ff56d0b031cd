/** What changed where: a map with points and zones, the two moments, and the same as a table. */

import { areasOf, mostPages } from "../../app/areas.js";
import { zonesOf } from "../../app/zones.js";
import { createChangeMap } from "../../components/change-map/change-map.js";
import { createDeviceMap } from "../../components/device-map/device-map.js";
import { createEmpty, createProblem, createSubPage } from "../../components/page/page.js";
import { createSampleHere } from "../../components/sample-here/sample-here.js";
import { createSegmented } from "../../components/segmented/segmented.js";
import { createSelect } from "../../components/select/select.js";
import { createSymbol } from "../../components/symbol/symbol.js";
import { createTimeSlider } from "../../components/time-slider/time-slider.js";
import { placeAt } from "../../drawing/mercator.js";
import { h, set, setText } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { begunAt, distanceOf, distances, filtered, momentsAt, momentsOf, pointsIn, rankOf, reachOf, sumOf, unitOf } from "../../water/change.js";
import { boundsAround, isChangeOf, pagesOf } from "../../water/kept-zone.js";
import { heldOf } from "../../water/periods.js";
import { sideOf } from "../../water/ranges.js";
import { createDrawing } from "./drawing.js";
import { createHere } from "./here.js";
import { legendOf } from "./legend.js";
import { choosePoint, openPoint } from "./point.js";
import { createReading } from "./reading.js";
import { createTable } from "./table.js";
import { createTexts } from "./texts.js";
import { openZoneForm } from "./zone-form.js";
import { createZoneChoice } from "./zones.js";

/** @typedef {import("../../water/change.js").ChangePoint} ChangePoint */
/** @typedef {import("../../water/change.js").Zone} Zone */
/** @typedef {import("../../water/change.js").Distance} Distance */

/** What is moved is asked for once it rests. */
const rest = 250;
/** New values change what is outside at most once in so many milliseconds. */
const patience = 1_000;

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, store } = context;
    const zones = zonesOf(context);
    const page = createSubPage(context, { title: t("changeMap.title"), back: "/tanks" });
    context.title(t("changeMap.title"));
    /** @type {import("../../water/change.js").Changes | null} */
    let changes = null;
    /** @type {import("../../water/change.js").Filter} */
    let filter = { zone: null, kind: "all" };
    let parameter = "";
    /** @type {Distance} */
    let name = "week";
    let reach = reachOf(distances[name], Date.now());
    let moments = momentsAt(distances[name], reach.until, reach);
    /** Those of what is shown: of what was kept they are earlier ones. */
    let told = moments;
    let isOld = false;
    let mustFit = true;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let later;
    /** What zones come to, of the changes that are shown. @type {Map<Zone, ReturnType<typeof sumOf>>} */
    let sums = new Map();

    const scale = () => {
        const told = unitOf(store.parameters.value.values(), parameter);
        return { unit: changes?.unit ?? told?.unit ?? "", decimals: told?.decimals ?? 1 };
    };
    const texts = createTexts(context, scale);
    const reading = createReading(context, {
        take(next, isKept) {
            changes = next;
            if (isKept || isOld) {
                told = isKept ? momentsOf(next) : moments;
                reach = reachOf(told.to - told.from, Date.now());
                showTimes();
            }
            isOld = isKept;
            sums = new Map();
            set(note, "hidden", !isKept);
            problem.show("");
            set(shown, "data-waiting", false);
            show();
        },
        async saved(name) {
            const zone = known().find(({ id }) => id === filter.zone);
            const areas = areasOf(context);
            return zone && await areas.find((page) => isChangeOf(page, name, zone.outline)) || await areas.find((page) => isChangeOf(page, name, null));
        },
        fail(error) {
            set(shown, "data-waiting", false);
            problem.show(context.explain(error, "read"));
        },
    });

    const parameters = createSelect({
        label: t("changeMap.parameter"),
        options: [],
        choose(value) {
            parameter = value;
            read();
        },
    });
    const segmented = createSegmented({
        label: t("changeMap.distance"),
        options: (/** @type {Distance[]} */ (Object.keys(distances))).map((value) => ({ value, text: t(`changeMap.distance_${value}`) })),
        value: name,
        onChoose(value) {
            name = value;
            reach = reachOf(distances[value], Date.now());
            move(momentsAt(distances[value], moments.to, reach));
        },
    });
    const slider = createTimeSlider({
        from: t("changeMap.from"),
        to: t("changeMap.to"),
        text: when,
        move: (which, time) => move(which === "to" ? momentsAt(moments.to - moments.from, time, reach) : begunAt(moments, time, reach)),
    });
    const layer = createChangeMap({
        choose: (marks) => drawing.outline() === null && !sampling.press(marks[0].point) && choose(marks.map(({ point }) => point)),
        press(at) {
            const last = layer.shown();
            if (!last || drawing.outline() === null) return false;
            drawing.add(placeAt(at, last.view, last.size));
            return true;
        },
    });
    const sampling = createSampleHere(context);
    const map = createDeviceMap(context, {
        href: () => "/change",
        overlay: layer,
        press: (place) => drawing.outline() === null && sampling.press(place),
        ready: offerKeeping,
    });
    const drawing = createDrawing(context, { points: shownPoints, changed: draw });
    const here = createHere(context, (place) => {
        layer.show({ here: place });
        map.centre(place);
        map.redraw();
    });
    const add = h("button", { class: "chip chip-small", type: "button", onclick: () => begin([], null) }, createSymbol("plus"), t("changeMap.zone_add"));
    const choice = createZoneChoice(context, {
        texts,
        choose(next) {
            mustFit = next.zone !== filter.zone;
            filter = next;
            show();
            // Another zone may have been kept with pages of its own.
            if (mustFit && isOld) read();
        },
        change: openZone,
        star: (zone) => void attempt(() => zones.change(zone, { favourite: !zone.favourite })),
        keep: (zone) => void attempt(() => keepZone(zone)),
    });
    const table = createTable(context, texts, (point) => openOne(point));
    const legend = h("div");
    const lead = h("p", { class: "change-lead", role: "status" });
    const note = h("p", { class: "small quiet", hidden: true }, t("changeMap.kept"));
    const cut = h("p", { class: "small quiet", hidden: true }, t("changeMap.cut"));
    const empty = createEmpty(t("changeMap.none"), { text: t("tanks.map_give"), href: "/devices" });
    const problem = createProblem({ text: t("common.retry"), press: read });
    const shown = h(
        "div",
        { class: "change surface", hidden: true },
        h("div", null, map.element, h("div", { class: "change-buttons change-over" }, here.element, add, sampling.chip)),
        sampling.told,
        drawing.element,
        legend,
        segmented.element,
        slider.element,
    );
    for (const part of [lead, choice.element, table.element, empty]) set(part, "hidden", true);
    page.body.classList.add("change-page");
    page.body.replaceChildren(
        h("div", null, parameters.element, lead, note, problem.element, shown, cut),
        h("div", null, choice.element, empty, table.element),
    );
    root.replaceChildren(...page.parts);
    map.element.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || drawing.outline() === null || !(event.target instanceof HTMLElement) || !event.target.classList.contains("map-window")) return;
        const middle = map.middle();
        if (middle) drawing.add(middle);
        event.preventDefault();
    });

    function shownPoints() {
        return changes ? filtered(changes.points, filter, known()) : [];
    }

    function known() {
        return (zones.listed.value.told ?? []).filter(({ project }) => context.acting === null || project === null || project === context.acting.id);
    }

    /** @param {import("../../water/change.js").Moments} next */
    function move(next) {
        moments = next;
        told = next;
        showTimes();
        clearTimeout(timer);
        timer = setTimeout(read, rest);
    }

    /** @param {number} time */
    function when(time) {
        return texts.when(time, reach.until - reach.from > distances.month);
    }

    function between() {
        return t("changeMap.between", { from: when(told.from), to: when(told.to) });
    }

    function showTimes() {
        segmented.show(/** @type {Distance} */ (distanceOf(told) ?? ""));
        slider.show(told, reach);
        page.setSubtitle(between());
    }

    function read() {
        clearTimeout(timer);
        if (parameter === "") return;
        set(shown, "data-waiting", changes !== null);
        void reading.read(parameter, unitOf(store.parameters.value.values(), parameter)?.unit ?? null, moments, distanceOf(moments) ?? "other");
    }

    /** @param {ChangePoint} point */
    function sideNow(point) {
        const now = store.parameterOf(point.device, parameter);
        const latest = store.latest.value.get(point.device)?.get(parameter);
        return now && latest ? sideOf(latest.value, heldOf(now)) : null;
    }

    function show() {
        if (!changes) return;
        const points = shownPoints();
        const all = known();
        const isEmpty = changes.points.length === 0;
        set(empty, "hidden", !isEmpty);
        for (const part of [shown, choice.element, table.element, lead]) set(part, "hidden", isEmpty);
        set(cut, "hidden", !changes.cut);
        showMarks(points);
        layer.show({
            zones: all.map((zone) => ({
                id: zone.id,
                outline: zone.outline,
                label: `${zone.name} ${texts.signed(sumIn(zone).mean)}`,
                isFavourite: zone.favourite,
                isChosen: zone.id === filter.zone,
            })),
            together(marks) {
                const { mean } = sumOf(marks.map(({ point }) => point));
                const text = t("changeMap.crowd", { count: marks.length, mean: texts.signed(mean) });
                return { text, label: t("changeMap.crowd_label", { count: marks.length, mean: texts.signedWithUnit(mean) }), rank: rankOf(mean, changes?.bounds ?? []) };
            },
        });
        legend.replaceChildren(legendOf(context, changes.bounds, scale().decimals, changes.unit));
        choice.show(filter, all, changes.points.length, points);
        table.show(points);
        setText(lead, leadOf(points, all));
        map.update([]);
        if (mustFit) map.fit();
        mustFit = false;
        offerKeeping();
    }

    function offerKeeping() {
        choice.offerKeeping(map.own() !== null);
    }

    /**
     * Asks how near the map of a zone is to be kept on this device, with a month of its values.
     * @param {Zone} zone
     */
    async function keepZone(zone) {
        const own = map.own();
        if (!own) return;
        const { openSaveArea } = await import("../../app/save-area.js");
        const lists = store.parameters.value;
        const probes = pointsIn(changes?.points ?? [], zone).filter(({ site }) => !site)
            .map(({ device }) => ({ device, names: (lists.get(device)?.items ?? []).map(({ name }) => name) }));
        const names = [...new Set([parameter, ...[...lists.values()].flatMap(({ items }) => items.map(({ name }) => name))])];
        openSaveArea(context, {
            ...own,
            bounds: boundsAround(zone.outline),
            name: zone.name,
            pages: pagesOf(zone.outline, {
                parameters: names.map((name) => ({ name, unit: unitOf(lists.values(), name)?.unit ?? null })),
                probes,
                now: Date.now(),
                most: mostPages,
            }),
        });
    }

    /** Those that changed most are in front. @param {readonly ChangePoint[]} points */
    function showMarks(points) {
        layer.show({
            marks: [...points].sort((one, other) => Math.abs(other.change ?? -1) - Math.abs(one.change ?? -1)).map((point) => {
                const side = sideNow(point);
                return { point, text: texts.signed(point.change), label: texts.label(point), side, isOutside: side !== null };
            }),
        });
    }

    /** @param {Zone} zone */
    function sumIn(zone) {
        const known = sums.get(zone) ?? sumOf(pointsIn(changes?.points ?? [], zone));
        sums.set(zone, known);
        return known;
    }

    /**
     * @param {readonly ChangePoint[]} points
     * @param {readonly Zone[]} all
     */
    function leadOf(points, all) {
        const { mean, known: count, rising, falling } = sumOf(points);
        if (mean === null) return t("changeMap.lead_unknown");
        const most = all.filter(({ favourite }) => favourite).slice(0, 2)
            .map((zone) => ({ zone, sum: sumIn(zone) }))
            .filter(({ sum }) => sum.mean !== null);
        const told = most.map(({ zone, sum }) => t("changeMap.lead_zone", { name: zone.name, mean: texts.signedWithUnit(sum.mean) }));
        return [t("changeMap.lead_points", { count, rising, falling }), ...filter.zone === null ? told : []].join(" ");
    }

    function draw() {
        layer.show({ draft: drawing.outline() });
        set(add, "hidden", drawing.outline() !== null);
        map.redraw();
    }

    /** @param {readonly ChangePoint[]} points */
    function choose(points) {
        if (points.length === 1) openOne(points[0]);
        else choosePoint(context, texts, points, openOne);
    }

    /** @param {ChangePoint} point */
    function openOne(point) {
        const side = sideNow(point);
        const latest = store.latest.value.get(point.device)?.get(parameter);
        layer.show({ chosen: point.device });
        map.redraw();
        openPoint(context, {
            texts,
            parameter,
            moments: told,
            period: between(),
            outside: side && latest ? t(`changeMap.outside_${side}`, { value: texts.withUnit(latest.value) }) : "",
            close() {
                layer.show({ chosen: null });
                map.redraw();
            },
        }, point);
    }

    /**
     * @param {readonly import("../../water/change.js").Place[]} from
     * @param {Zone | null} zone null: another one.
     */
    function begin(from, zone) {
        drawing.begin(from, (outline) => {
            if (zone) {
                return void attempt(async () => {
                    await zones.change(zone, { outline });
                    drawing.end();
                });
            }
            openZoneForm(context, {
                zone: null,
                async save(content, project) {
                    const made = await zones.draw({ ...content, outline }, project);
                    drawing.end();
                    filter = { ...filter, zone: made.id };
                    show();
                },
            });
        });
    }

    /** @param {Zone} zone */
    function openZone(zone) {
        openZoneForm(context, {
            zone,
            save: (content) => zones.change(zone, content),
            redraw: () => begin(zone.outline, zone),
            async remove() {
                await zones.remove(zone);
                filter = { ...filter, zone: null };
                show();
            },
        });
    }

    /** @param {() => Promise<unknown>} act */
    async function attempt(act) {
        try {
            await act();
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
    }

    function update() {
        const names = [...new Set([...store.parameters.value.values()].flatMap(({ items }) => items.map(({ name }) => name)))];
        parameters.show(names.map((value) => ({ value, text: t(`water.${value}_full`) })));
        if (parameter === "" && names.length > 0) {
            parameter = names[0];
            read();
        }
        show();
    }

    showTimes();
    void zones.read();
    const end = effect([store.parameters, zones.listed], update);
    const endLatest = effect([store.latest], () => {
        later ??= setTimeout(() => {
            later = undefined;
            showMarks(shownPoints());
            map.redraw();
        }, patience);
    });
    return {
        unmount() {
            clearTimeout(timer);
            clearTimeout(later);
            endLatest();
            reading.end();
            here.remove();
            sampling.end();
            map.remove();
            end();
        },
    };
}
