/**
 * The second-worst things, a row each under the line.
 */

import { createNotice } from "../../components/notice/notice.js";
import { wordsOf } from "../../kinds/index.js";
import { h, set, setText } from "../../page/dom.js";
import { shortAnsweredText } from "../../water/answers.js";
import { apartText } from "../../water/apart.js";
import { isPast } from "../../water/headline.js";
import { reasonText, seenKey, unseen } from "../../water/rejects.js";
import { detailsPath } from "./models.js";

/** @typedef {import("../../water/headline.js").Finding} Finding */
/** @typedef {import("../../components/notice/notice.js").NoticeModel & {key: string}} Row */

const most = 2;

/** @param {import("../../app/context.js").Context} context */
export function createNotices(context) {
    const element = h("ul", { class: "home-notices" });
    /** @type {Map<string, ReturnType<typeof createNotice>>} */
    const rows = new Map();
    const more = h("button", { class: "home-notices-more small quiet", type: "button", onclick: showAll });
    const last = h("li", null, more);
    /** The device of which all things have a row, because the person asked for it. */
    let whole = "";
    /** What was shown last. @type {() => void} */
    let again = () => {};
    let shownDevice = "";

    function showAll() {
        whole = shownDevice;
        again();
        const next = element.children[most]?.firstElementChild;
        if (next instanceof HTMLElement) next.focus();
    }

    /**
     * @param {import("../../water/headline.js").Tank} tank
     * @param {Finding} finding
     * @param {number} now
     * @returns {Row}
     */
    function findingRow(tank, finding, now) {
        const { kind, gauge, answered } = finding;
        const words = wordsOf(finding);
        const text = words?.noticed(context, finding, now) ?? "";
        return {
            key: `${kind} ${gauge?.name ?? ""}`,
            shape: answered ? "answered" : words?.shape(finding) ?? "live",
            text: answered ? `${text} · ${shortAnsweredText(context, answered)}` : text,
            href: gauge ? detailsPath(tank.id, gauge.name) : devicePath(tank),
        };
    }

    /**
     * Probes that lie apart from a second one: the value may be right.
     * @param {import("../../water/headline.js").Tank} tank
     * @param {number} now
     * @returns {Row[]}
     */
    function apartRows(tank, now) {
        return tank.gauges.flatMap(({ name, apart }) =>
            apart ? [{ key: `apart ${name}`, shape: "fault", text: apartText(context, name, apart, now), href: detailsPath(tank.id, name) }] : []
        );
    }

    /**
     * A device's messages that could not be read come last: the water is not concerned.
     * @param {import("../../water/headline.js").Tank} tank
     * @returns {Row[]}
     */
    function unreadableRows(tank) {
        const unreadable = unseen(tank, context.preferences.noted(seenKey(tank.id)));
        if (!unreadable) return [];
        const text = context.t("rejects.notice", { reason: reasonText(context, unreadable) });
        return [{ key: "unreadable", shape: "fault", text, href: devicePath(tank) }];
    }

    /** @param {import("../../water/headline.js").Tank} tank */
    function devicePath(tank) {
        return `/devices/${encodeURIComponent(tank.id)}`;
    }

    /** @param {string} key */
    function rowOf(key) {
        const row = rows.get(key) ?? createNotice();
        rows.set(key, row);
        return row;
    }

    /** @param {number} left How many things have no row. */
    function updateMore(left) {
        if (left === 0) return last.remove();
        setText(more, context.t("home.notices", { count: left }));
        if (element.lastElementChild !== last) element.append(last);
    }

    /**
     * @param {import("../../water/headline.js").Tank | null | undefined} tank
     * @param {import("../../water/headline.js").Headline} headline
     * @param {number} now
     * @param {{first: Row[], last: Row[]}} always What stands whatever else there is.
     */
    function update(tank, headline, now, always) {
        shownDevice = tank?.id ?? "";
        again = () => update(tank, headline, now, always);
        const others = tank && !isPast(headline)
            ? [...headline.others.map((finding) => findingRow(tank, finding, now)), ...apartRows(tank, now), ...unreadableRows(tank)]
            : [];
        // A row that says "one more" would take the place of that one.
        const fits = whole !== "" && whole === shownDevice ? others.length : others.length > most + 1 ? most : most + 1;
        const told = others.slice(0, fits);
        const shown = [...always.first, ...told, ...always.last];
        shown.forEach((model, index) => {
            const row = rowOf(model.key);
            row.update(model);
            const item = row.element.parentElement ?? h("li", null, row.element);
            if (element.children[index] !== item) element.insertBefore(item, element.children[index] ?? null);
        });
        const keys = new Set(shown.map(({ key }) => key));
        for (const [key, row] of rows) {
            if (keys.has(key)) continue;
            row.element.parentElement?.remove();
            rows.delete(key);
        }
        updateMore(others.length - told.length);
        set(element, "hidden", shown.length === 0);
    }

    return { element, update };
}
