/** All tanks that have a position, on a map. */

import { createDeviceMap } from "../../../../components/device-map/device-map.js";
import { createList, createRow } from "../../../../components/list-row/list-row.js";
import { createSampleHere } from "../../../../components/sample-here/sample-here.js";
import { createEmpty } from "../../../../components/page/page.js";
import { h, set } from "../../../../page/dom.js";

/**
 * @param {import("../../../../app/context.js").Context} context
 * @param {import("./places.js").Parts} parts
 * @returns {import("./places.js").Drawing}
 */
export function createDrawing(context, { open }) {
    const { t, store } = context;
    const sampling = createSampleHere(context);
    const map = createDeviceMap(context, {
        press: sampling.press,
        href: () => "/",
        open,
        save: async (wish) => (await import("../../../../app/save-area.js")).openSaveArea(context, wish),
    });
    const empty = createEmpty(t("tanks.map_empty"), { text: t("tanks.map_give"), href: "/devices" });
    const change = createList(createRow({ name: t("changeMap.title"), detail: t("changeMap.lead"), icon: "map", href: "/change" }).element);
    const sample = h("div", { class: "tanks-chips map-sample" }, sampling.chip, sampling.told);
    return {
        element: h("div", null, empty, map.element, sample, change),
        update(models) {
            const places = models.flatMap((model) => {
                const { latitude = null, longitude = null } = store.deviceOf(model.id) ?? {};
                return latitude === null || longitude === null ? [] : [{ ...model, latitude, longitude }];
            });
            const isEmpty = models.length > 0 && places.length === 0;
            set(empty, "hidden", !isEmpty);
            set(map.element, "hidden", isEmpty);
            for (const part of [sample, change]) set(part, "hidden", isEmpty);
            map.update(places);
            return new Set(places.map(({ id }) => id));
        },
        remove() {
            sampling.end();
            map.remove();
        },
    };
}
