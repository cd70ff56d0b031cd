/** Where devices are, on a map and in a list. */

import { deviceModel } from "../../components/device-card/device-model.js";
import { createDeviceMap } from "../../components/device-map/device-map.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { createSubPage } from "../../components/page/page.js";
import { createSampleHere } from "../../components/sample-here/sample-here.js";
import { h } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { standingIn } from "../../water/overview.js";

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, store } = context;
    context.title(t("devices.chart"));
    const page = createSubPage(context, { title: t("devices.chart"), back: "/devices" });
    root.replaceChildren(...page.parts);
    /** @param {string} id */
    const href = (id) => `/devices/${encodeURIComponent(id)}`;
    const sampling = createSampleHere(context);
    const map = createDeviceMap(context, { href, press: sampling.press, save: async (wish) => (await import("../../app/save-area.js")).openSaveArea(context, wish) });
    /** What is drawn, to draw only what is new. */
    let drawn = "";
    const rows = h("div");
    const parts = [map.element, h("div", { class: "buttons map-sample" }, sampling.chip, sampling.told), h("h2", { class: "section-head" }, t("devices.title")), rows];
    const empty = h("p", { class: "quiet" }, t("devices.chart_empty"));

    function update() {
        const now = Date.now();
        const tanks = store.tanks.value ?? [];
        const places = (store.devices.value ?? []).flatMap(({ id, latitude, longitude }) => {
            if (latitude === null || longitude === null) return [];
            const tank = tanks.find((tank) => tank.id === id);
            const { state = "", shape = null } = tank ? deviceModel(context, tank, now, false) : {};
            const { mood = "waiting", isOutside = false } = tank ? standingIn(tank, now) : {};
            const name = store.deviceOf(id)?.name ?? id;
            return [{ id, latitude, longitude, name, value: "", mood, shape: shape ?? "fine", word: state, label: `${name}, ${state}`, isHere: isOutside, isSite: Boolean(tank?.site) }];
        });
        const key = JSON.stringify([places, store.connection.value.state]);
        if (key === drawn) return;
        drawn = key;
        if (places.length === 0) return page.body.replaceChildren(empty);
        if (!map.element.isConnected) page.body.replaceChildren(...parts);
        map.update([...places].sort((one, other) => Number(other.isHere) - Number(one.isHere)));
        rows.replaceChildren(createList(...places.map(({ id, name, word, shape }) => createRow({ name, detail: word, shape, href: href(id) }).element)));
    }

    const end = effect([store.tanks, store.devices, store.connection], update);
    return {
        unmount() {
            end();
            sampling.end();
            map.remove();
        },
    };
}
