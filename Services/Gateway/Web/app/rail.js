/**
 * The desktop's list of devices beside the tabs: each with its last 12 hours and its state in words.
 */

import { deviceModel } from "../components/device-card/device-model.js";
import { createShape } from "../components/shape/shape.js";
import { createSymbol } from "../components/symbol/symbol.js";
import { createWaterline } from "../components/waterline/waterline.js";
import { h, set, setText } from "../page/dom.js";
import { effect, isMadeOf } from "../page/signals.js";
import { isCutOff as isUnknown } from "../water/headline.js";
import { many } from "../water/leading.js";
import { historyOf, lineOf, periodOf } from "./history.js";
import { createRailGroups } from "./rail-groups.js";

/** So many lines are read; each takes a request for every parameter. */
const mostLines = 8;

/**
 * @param {object} parts
 * @param {HTMLElement} parts.root
 * @param {import("./store.js").Store} parts.store
 * @param {() => import("./context.js").Context} parts.context
 */
export function createRail({ root, store, context }) {
    const title = h("h2", { class: "small quiet" });
    const link = h("a", { class: "icon-button", href: "/devices/link" }, createSymbol("plus"));
    const list = h("ul");
    /** @type {Map<string, ReturnType<typeof createRow>>} */
    const rows = new Map();
    const groups = createRailGroups(store, context);
    const wide = matchMedia("(min-width: 75em)");
    let isReading = false;

    /** @param {string} id */
    function createRow(id) {
        const name = h("span", { class: "rail-name" });
        const shape = h("span", { class: "rail-shape" });
        const word = h("span", { class: "rail-state small" });
        const line = createWaterline("rail");
        const box = h("span", { class: "rail-box" }, createSymbol("check"));
        const device = h(
            "a",
            { class: "rail-device", href: "/", onclick: press },
            h("span", { class: "rail-words" }, box, name, shape, word),
            line.element,
        );

        /** @param {MouseEvent} event */
        function press(event) {
            const comparing = store.comparing.value;
            if (!comparing) return store.choose(id);
            event.preventDefault();
            comparing.choose(id);
        }

        return { element: h("li", null, device), device, name, shape, word, line, parts: /** @type {unknown[]} */ ([]) };
    }

    function draw() {
        if (!wide.matches) return;
        const surroundings = context();
        const { t } = surroundings;
        const history = historyOf(surroundings);
        const tanks = store.tanks.value ?? [];
        const current = store.current.value;
        const now = Date.now();
        const period = periodOf(now);
        const isCutOff = isUnknown(store.connection.value);
        set(root, "hidden", tanks.length === 0);
        set(link, "aria-label", t("home.empty_link"));
        // Where there are many, they are listed on the screen of all of them.
        const isMany = tanks.length > many;
        setText(title, t(isMany ? "tanks.groups" : "home.rail"));
        set(list, "hidden", isMany);
        groups.element.hidden = !isMany;
        if (isMany) return groups.draw();
        tanks.forEach((tank, index) => {
            let row = rows.get(tank.id);
            if (!row) rows.set(tank.id, row = createRow(tank.id));
            if (list.children[index] !== row.element) list.insertBefore(row.element, list.children[index] ?? null);
            const isCurrent = tank.id === current?.id;
            const comparing = store.comparing.value;
            const isCompared = comparing?.of.includes(tank.id) ?? false;
            set(row.device, "role", comparing ? "checkbox" : null);
            set(row.device, "aria-checked", comparing ? String(isCompared) : null);
            const parts = [tank, history.versionOf(tank.id), period.to, isCutOff, isCurrent && !comparing, t];
            if (isMadeOf(row.parts, parts)) return;
            row.parts = parts;
            const model = deviceModel(surroundings, tank, now, false);
            const state = model.standing;
            set(row.device, "aria-current", isCurrent && !comparing ? "true" : null);
            set(row.device, "data-state", model.isSnoozed ? "snoozed" : state);
            setText(row.name, tank.name);
            if (row.shape.getAttribute("data-shape") !== (model.shape ?? "")) {
                row.shape.setAttribute("data-shape", model.shape ?? "");
                row.shape.replaceChildren(...(model.shape ? [createShape(model.shape)] : []));
            }
            setText(row.word, model.brief);
            set(row.device, "aria-label", model.isAnswered ? model.label : null);
            const line = lineOf(tank, (gauge) => history.seriesOf(tank, gauge), period);
            const isOutside = (state === "low" || state === "high") && !model.isSnoozed && !isCutOff;
            row.line.update({
                period,
                swells: line.swells,
                gaps: line.gaps,
                tone: isOutside
                    ? "alarm"
                    : state === "waiting" || state === "byHand"
                    ? "never"
                    : !line.isKnown
                    ? "loading"
                    : isCutOff
                    ? "old"
                    : "fine",
            });
        });
        const ids = new Set(tanks.map(({ id }) => id));
        for (const [id, row] of rows) {
            if (ids.has(id)) continue;
            row.line.remove();
            row.element.remove();
            rows.delete(id);
        }
        if (!isCutOff) read(history);
    }

    /**
     * Reads one device after the other: what the person looks at comes first.
     * @param {import("./history.js").History} history
     */
    async function read(history) {
        if (isReading) return;
        isReading = true;
        for (const tank of (store.tanks.value ?? []).slice(0, mostLines)) await history.read(tank);
        isReading = false;
    }

    return {
        start() {
            root.replaceChildren(h("div", { class: "rail-head" }, title, link), groups.element, list);
            effect([store.tanks, store.current, store.chosen, store.comparing, store.settings, store.connection, historyOf(context()).changes], draw);
            wide.addEventListener("change", draw);
            setInterval(draw, 60_000);
        },
    };
}
