/**
 * The second-worst things, a row each under the line.
 */

import { h, set, setText } from "../../app/dom.js";
import { isPast } from "../../app/headline.js";
import { createNotice } from "../../components/notice/notice.js";
import { detailsPath } from "./models.js";
import { noticed } from "./sentences.js";

/** @typedef {import("../../app/headline.js").Finding} Finding */

const most = 2;

/** @param {import("../../app/context.js").Context} context */
export function createNotices(context) {
    const element = h("ul", { class: "home-notices" });
    /** @type {Map<string, ReturnType<typeof createNotice>>} */
    const rows = new Map();

    /** @param {Finding} finding */
    function keyOf({ kind, gauge }) {
        return `${kind} ${gauge?.name ?? ""}`;
    }

    /** @param {Finding} finding */
    function rowOf(finding) {
        const key = keyOf(finding);
        const row = rows.get(key) ?? createNotice();
        rows.set(key, row);
        return row;
    }

    /** @param {number} left How many things have no row. */
    function updateMore(left) {
        const last = element.querySelector(".home-notices-more");
        if (left === 0) return last?.remove();
        const item = last ?? h("li", { class: "home-notices-more small quiet" });
        setText(item, context.t("home.notices", { count: left }));
        element.append(item);
    }

    return {
        element,
        /**
         * @param {import("../../app/headline.js").Tank | null | undefined} tank
         * @param {import("../../app/headline.js").Headline} headline
         * @param {number} now
         */
        update(tank, headline, now) {
            const others = tank && !isPast(headline) ? headline.others : [];
            // A row that says "one more" would take the place of that one.
            const shown = others.slice(0, others.length > most + 1 ? most : most + 1);
            shown.forEach((finding, index) => {
                const { kind, gauge } = finding;
                const row = rowOf(finding);
                row.update({
                    shape: kind === "outside" ? gauge?.side ?? "high" : kind === "fault" ? "fault" : "silent",
                    text: noticed(context, finding, now),
                    href: gauge && tank ? detailsPath(tank.id, gauge.name) : `/devices/${encodeURIComponent(tank?.id ?? "")}`,
                });
                const item = row.element.parentElement ?? h("li", null, row.element);
                if (element.children[index] !== item) element.insertBefore(item, element.children[index] ?? null);
            });
            const keys = new Set(shown.map(keyOf));
            for (const [key, row] of rows) {
                if (keys.has(key)) continue;
                row.element.parentElement?.remove();
                rows.delete(key);
            }
            updateMore(others.length - shown.length);
            set(element, "hidden", shown.length === 0);
        },
    };
}
