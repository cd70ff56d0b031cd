/** Where a device that moves was: its way on a map, with the values of a parameter, and a slider of time along it. */

import { saveFile } from "../../app/files.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { createMap } from "../../components/map/map.js";
import { createProblem, createSubPage } from "../../components/page/page.js";
import { createSegmented } from "../../components/segmented/segmented.js";
import { createSelect } from "../../components/select/select.js";
import { createTrack } from "../../components/track/track.js";
import { setInk } from "../../drawing/ink.js";
import { h, set, setText } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { heldOf } from "../../water/periods.js";
import { indexAt, placesOf, standingOf } from "../../water/track.js";
import { forgetTrack } from "../../components/track/forget.js";
import { legendOf } from "./legend.js";

/** @typedef {import("../../water/track.js").TrackPlace} TrackPlace */

const day = 86_400_000;
const spans = /** @type {const} */ ({ day, week: 7 * day, month: 30 * day });
/** About how many places a phone draws. */
const most = 400;

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 * @param {Record<string, string>} params
 */
export function mount(root, context, { device: id }) {
    const { api, t, store, format } = context;
    const path = `/devices/${encodeURIComponent(id)}`;
    const page = createSubPage(context, { title: t("track.title"), back: path });
    context.title(t("track.title"));
    /** @type {{span: keyof typeof spans, parameter: string}} */
    const wanted = { span: "day", parameter: "" };
    /** Counts what was asked for, so that an answer to what nobody wants any more changes nothing. */
    let turn = 0;
    /** @type {{places: readonly TrackPlace[], total: number, unit: string, step: number} | null} */
    let known = null;
    let chosen = 0;
    let mustFit = true;
    /** When the device was where it was last, as far as the store knows. */
    let lastKnown = "";
    /** @type {import("../../components/map/map.js").MapSource | null} */
    let source = null;
    /** @type {ReturnType<typeof createMap> | null} */
    let map = null;

    const span = createSegmented({
        label: t("track.period"),
        options: [
            { value: "day", text: t("records.span_day") },
            { value: "week", text: t("records.span_week") },
            { value: "month", text: t("records.span_month") },
        ],
        value: wanted.span,
        onChoose: (/** @type {keyof typeof spans} */ value) => begin({ span: value }),
    });
    const parameters = createSelect({ label: t("track.parameter"), options: [], choose: (value) => begin({ parameter: value }) });
    const track = createTrack(choose);
    const ground = h("div");
    const slider = h("input", { class: "track-slider", type: "range", min: "0", step: "1", "aria-label": t("track.time") });
    slider.addEventListener("input", () => choose(Number(slider.value)));
    const when = h("p", { class: "track-when" });
    const where = h("p", { class: "small quiet" });
    const count = h("p", { class: "small quiet" });
    const legend = h("div");
    const empty = h("p", { class: "quiet", hidden: true });
    const problem = createProblem({ text: t("common.retry"), press: () => void read() });
    const download = createRow({ name: t("track.download"), detail: t("track.download_text"), icon: "download", press: save });
    const forget = createRow({ name: t("track.delete"), icon: "bin", isAction: true, isGrave: true, press: forgetAll });
    const shown = h("div", { class: "track surface", hidden: true }, ground, slider, h("div", { "aria-live": "off" }, when, where), legend, count);
    const acts = createList(download.element);
    page.body.classList.add("track-page");
    page.body.replaceChildren(h("div", { class: "track-choice" }, span.element, parameters.element), shown, empty, problem.element, acts);
    root.replaceChildren(...page.parts);

    /** @returns {import("../../water/tanks.js").Parameter | null} */
    function parameter() {
        return store.parameterOf(id, wanted.parameter);
    }

    /** @param {Partial<typeof wanted>} change */
    function begin(change) {
        Object.assign(wanted, change);
        mustFit ||= change.span !== undefined;
        void read();
    }

    async function read() {
        if (wanted.parameter === "") return;
        turn += 1;
        const own = turn;
        problem.show("");
        set(shown, "data-waiting", true);
        const until = Date.now();
        try {
            const [{ data }, place] = await Promise.all([
                api.get(`${path}/track`, { query: { from: new Date(until - spans[wanted.span]).toISOString(), parameter: wanted.parameter, points: String(most) } }),
                source ? null : api.get("/map").catch(() => null),
            ]);
            if (own !== turn) return;
            if (place?.data.tiles) source = place.data;
            const time = known?.places[chosen]?.time;
            const isAtEnd = !known || chosen === known.places.length - 1;
            const places = placesOf(data);
            known = { places, total: data.total, unit: data.unit, step: data.total > places.length ? spans[wanted.span] / places.length : 0 };
            chosen = isAtEnd || time === undefined ? places.length - 1 : indexAt(places, time);
            show();
        } catch (error) {
            if (own === turn) problem.show(context.explain(error, "read"));
        } finally {
            if (own === turn) set(shown, "data-waiting", false);
        }
    }

    function show() {
        const device = store.deviceOf(id);
        page.setSubtitle(device?.name ?? "");
        const isOwner = device?.role === "owner";
        if (isOwner !== acts.contains(forget.element)) isOwner ? acts.append(forget.element) : forget.element.remove();
        if (!known) return;
        const { places, total, step } = known;
        const now = parameter();
        set(shown, "hidden", places.length === 0);
        set(empty, "hidden", places.length > 0);
        setText(empty, t(device?.moves === false ? "track.not_moving" : "track.none"));
        // Positions of another time are deleted as well.
        set(download.element, "hidden", places.length === 0);
        if (places.length === 0) return;
        const shownTrack = { places, range: now && heldOf(now), step };
        setInk(shown, now?.colour ?? "grey");
        track.show(shownTrack, chosen);
        map ??= makeMap();
        if (mustFit) map.fit();
        else map.draw();
        mustFit = false;
        set(slider, "max", String(places.length - 1));
        legend.replaceChildren(legendOf(context, shownTrack, valueText));
        setText(count, total > places.length ? t("track.some", { shown: places.length, count: total }) : t("track.all", { count: total }));
        tell();
    }

    function makeMap() {
        const made = createMap(context, {
            source,
            href: () => path,
            overlay: track,
            onFailure() {
                source = null;
                removeMap();
                mustFit = true;
                show();
            },
        });
        ground.replaceChildren(made.element);
        return made;
    }

    function removeMap() {
        map?.remove();
        map = null;
    }

    /** @param {number} index */
    function choose(index) {
        chosen = index;
        track.point(index);
        map?.draw();
        tell();
    }

    function tell() {
        const place = known?.places[chosen];
        if (!place) return;
        const value = place.value === null ? t("track.no_value") : valueText(place.value);
        const now = parameter();
        const standing = standingOf(place, now && heldOf(now));
        const state = standing === "low" || standing === "high" ? t(`track.${standing}`) : "";
        const moment = format.moment(place.time);
        setText(when, [moment, value, state].filter((text) => text !== "").join(" · "));
        const degrees = `${format.number(place.latitude, 5)}°, ${format.number(place.longitude, 5)}°`;
        setText(where, place.accuracy === null ? degrees : `${degrees} · ${t("track.accuracy", { metres: place.accuracy })}`);
        slider.value = String(chosen);
        set(slider, "aria-valuetext", `${when.textContent}, ${where.textContent}`);
    }

    /** @param {number} value */
    function valueText(value) {
        return format.withUnit(format.number(value, parameter()?.decimals ?? 1), known?.unit ?? "");
    }

    async function save() {
        try {
            await saveFile(api, `${path}/track.geojson`, `${id}-track.geojson`, { from: new Date(Date.now() - spans[wanted.span]).toISOString() });
        } catch (error) {
            context.toast({ text: context.explain(error, "read") });
        }
    }

    async function forgetAll() {
        if (await forgetTrack(context, id)) void read();
    }

    function update() {
        const list = store.parameters.value.get(id)?.items ?? [];
        parameters.show(list.map(({ name }) => ({ value: name, text: t(`water.${name}_full`) })));
        const last = store.deviceOf(id)?.lastPosition?.time ?? "";
        const isNews = last !== lastKnown;
        lastKnown = last;
        if (wanted.parameter === "" && list.length > 0) begin({ parameter: list[0].name });
        else if (isNews) void read();
        else show();
    }

    const end = effect([store.devices, store.parameters], update);
    return {
        unmount() {
            turn += 1;
            end();
            removeMap();
        },
    };
}
