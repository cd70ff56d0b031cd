/**
 * Where devices are: on the operator's map where there is one, else on a plain chart of their positions, which also stands
 * in while there is no connection or the map's tiles do not come.
 */

import { deviceModel } from "../../components/device-card/device-model.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { createMap } from "../../components/map/map.js";
import { createSubPage } from "../../components/page/page.js";
import { h, set } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { standingOf } from "../../water/headline.js";
import { createPositions } from "./positions.js";

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { api, t, store } = context;
    context.title(t("devices.chart"));
    const page = createSubPage(context, { title: t("devices.chart"), back: "/devices" });
    root.replaceChildren(...page.parts);
    /** Where a map comes from; null: there is none; undefined: nobody knows yet. @type {import("../../components/map/map.js").MapSource | null | undefined} */
    let source;
    /** @type {ReturnType<typeof createMap> | null} */
    let map = null;
    let hasFailed = false;
    let isAsked = false;
    /** What is drawn, to draw only what is new. */
    let drawn = "";
    let isGone = false;
    const drawing = h("div", { class: "chart-drawings" });
    const head = h("h2", { class: "section-head" }, t("devices.title"));
    const rows = h("div");
    const empty = h("p", { class: "quiet" }, t("devices.chart_empty"));

    async function read() {
        try {
            const { data } = await api.get("/map");
            source = data.tiles === null ? null : data;
        } catch {
            source = undefined;
        }
        isAsked = true;
        if (!isGone) update();
    }

    function update() {
        const now = Date.now();
        const tanks = store.tanks.value ?? [];
        const places = (store.devices.value ?? []).flatMap(({ id, latitude, longitude }) => {
            if (latitude === null || longitude === null) return [];
            const tank = tanks.find((tank) => tank.id === id);
            const model = tank ? deviceModel(context, tank, now, false) : null;
            return [{
                id,
                latitude,
                longitude,
                standing: tank ? standingOf(tank, now).state : "waiting",
                name: store.deviceOf(id)?.name ?? id,
                state: model?.state ?? "",
                shape: model?.shape ?? null,
                href: `/devices/${encodeURIComponent(id)}`,
            }];
        });
        const key = JSON.stringify([places, isAsked, source, hasFailed, store.connection.value.state]);
        if (key === drawn) return;
        drawn = key;
        if (places.length === 0) {
            removeMap();
            return page.body.replaceChildren(empty);
        }
        if (!drawing.isConnected) page.body.replaceChildren(drawing, head, rows);
        const isMapShown = updateMap(places);
        // Nothing is drawn that would give way to a map a moment later.
        set(drawing, "data-waiting", !isAsked);
        if (!isMapShown) drawing.replaceChildren(...(isAsked ? chart(places) : []));
        rows.replaceChildren(createList(...places.map(({ name, state, shape, href }, index) =>
            createRow({ name: isMapShown ? name : `${index + 1} · ${name}`, detail: state, shape: shape ?? "fine", href }).element
        )));
    }

    /**
     * @param {(Omit<import("../../components/map/map.js").MapPlace, 'isAlarm'> & {standing: string})[]} places
     * @returns {boolean} Whether there is a map.
     */
    function updateMap(places) {
        const connection = store.connection.value.state;
        if (!source || hasFailed || connection === "offline") {
            removeMap();
            return false;
        }
        if (!map) {
            map = createMap({
                source,
                words: { label: t("devices.map"), help: t("devices.map_help"), closer: t("devices.map_closer"), wider: t("devices.map_wider") },
                onFailure() {
                    hasFailed = true;
                    update();
                },
            });
            const host = new URL(source.tiles.replace(/[{}]/g, "")).host;
            drawing.replaceChildren(map.element, h("p", { class: "small quiet chart-note" }, t("devices.map_text", { host })));
        }
        map.update(places.map((place) => ({ ...place, isAlarm: place.standing === "low" || place.standing === "high" })));
        return true;
    }

    /** @param {Parameters<typeof createPositions>[1]} places */
    function chart(places) {
        const text = source === null ? t("devices.chart_text") : t("devices.chart_plain");
        if (!hasFailed) return [createPositions(context, places, text)];
        const again = h("button", { class: "button button-outlined", type: "button", onclick: retry }, t("devices.map_again"));
        return [
            h("div", { class: "chart-trouble", role: "status" }, h("p", null, t("devices.map_failed")), again),
            createPositions(context, places, text),
        ];
    }

    function retry() {
        hasFailed = false;
        update();
    }

    function removeMap() {
        map?.remove();
        map = null;
    }

    const end = effect([store.tanks, store.devices, store.connection], update);
    read();
    return {
        unmount() {
            isGone = true;
            end();
            removeMap();
        },
    };
}
