/** The desktop's list beside the tabs where there are many tanks: all of them, and each project with how it is. */

import { h, set, setText } from "../page/dom.js";
import { setShape } from "../components/shape/shape.js";
import { createKeyed } from "../page/keyed.js";
import { groupsOf, standingIn } from "../water/overview.js";

/** @typedef {{id: string, name: string, count: number, needs: number, shape: import("../components/shape/shape.js").ShapeName | null, isCurrent: boolean}} Row */

/** From the mood that needs somebody most. */
const gravity = /** @type {const} */ (["low", "high", "silent", "fault", "worked"]);

/**
 * @param {import("./store.js").Store} store
 * @param {() => import("./context.js").Context} context
 */
export function createRailGroups(store, context) {
    const list = h("ul");
    const update = createKeyed(list, (/** @type {Row} */ { id }) => id, () => {
        const name = h("span", { class: "rail-name" });
        const shape = h("span", { class: "rail-shape" });
        const word = h("span", { class: "rail-state small" });
        const link = h("a", { class: "rail-device", href: "/tanks" }, h("span", { class: "rail-words" }, shape, name, word));
        link.addEventListener("click", () => store.choose(null));
        return {
            element: h("li", null, link),
            /** @param {Row} row */
            update(row) {
                set(link, "aria-current", row.isCurrent ? "true" : null);
                set(link, "href", row.id === " " ? "/tanks" : `/tanks#${encodeURIComponent(row.id)}`);
                set(link, "data-state", row.needs > 0 ? row.shape : null);
                setText(name, row.name);
                setShape(shape, row.shape);
                const { t } = context();
                setText(word, row.needs > 0 ? t("tanks.filter_needs", { count: row.needs }) : String(row.count));
            },
        };
    });

    return {
        element: list,
        draw() {
            const { t } = context();
            const now = Date.now();
            const tanks = store.tanks.value ?? [];
            const standings = new Map(tanks.map((tank) => [tank.id, standingIn(tank, now)]));
            const groups = groupsOf(store.devices.value ?? []);
            const own = store.chosen.value === null ? null : store.deviceOf(store.chosen.value)?.project?.id ?? "";
            const rows = [{ id: " ", name: t("home.all"), devices: new Set(tanks.map(({ id }) => id)) }, ...groups.length > 1 ? groups : []].map(({ id, name, devices }) => {
                const all = [...devices].flatMap((device) => standings.get(device) ?? []);
                return {
                    id,
                    name: name ?? t("tanks.group_own"),
                    count: all.length,
                    needs: all.filter(({ needs }) => needs).length,
                    shape: gravity.find((mood) => all.some((standing) => standing.mood === mood)) ?? null,
                    isCurrent: id === " " ? own === null : id === own,
                };
            });
            update(rows);
        },
        remove: () => update([]),
    };
}
