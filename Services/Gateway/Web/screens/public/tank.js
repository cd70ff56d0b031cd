/** A tank of a public page: each parameter with its last value, how old that is, and its course. */

import { setShape } from "../../components/shape/shape.js";
import { createSparkline } from "../../components/sparkline/sparkline.js";
import { setInk } from "../../drawing/ink.js";
import { h, set, setText } from "../../page/dom.js";
import { isOld, rangeOf, toldOf } from "../../water/public-page.js";

/** @typedef {import("../../water/public-page.js").Page} Page */
/** @typedef {import("../../water/public-page.js").Shown} Shown */

const day = 86_400_000;
/** @type {Record<NonNullable<ReturnType<typeof toldOf>>, import("../../components/shape/shape.js").ShapeName>} */
const shapes = { inRange: "fine", low: "low", high: "high", outdated: "silent" };

/** @param {import("../../app/context.js").Context} context */
export function createTank(context) {
    const { t } = context;
    const title = h("h2", { class: "section-head" });
    const list = h("ul", { class: "public-values" });
    const none = h("p", { class: "rows-note", hidden: true }, t("public.never"));
    const element = h("section", null, title, list, none);
    /** @type {{name: string, update: (shown: Shown, page: Page, now: number) => void}[]} */
    let rows = [];
    return {
        element,
        /**
         * @param {Page} page
         * @param {Page["tanks"][number]} tank
         * @param {number} now By the service's clock.
         */
        update(page, tank, now) {
            // The page's headline says it where it has one tank.
            setText(title, tank.title);
            set(title, "hidden", page.tanks.length === 1);
            set(none, "hidden", tank.values.length > 0);
            if (rows.map(({ name }) => name).join() !== tank.values.map(({ parameter }) => parameter).join()) {
                const made = tank.values.map(({ parameter }) => createValue(context, parameter));
                list.replaceChildren(...made.map(({ element }) => element));
                rows = made;
            }
            rows.forEach((row, index) => row.update(tank.values[index], page, now));
        },
    };
}

/**
 * @param {import("../../app/context.js").Context} context
 * @param {string} parameter
 */
function createValue({ t, format }, parameter) {
    const relative = new Intl.RelativeTimeFormat(format.locale);
    const name = t.has(`water.${parameter}_full`) ? t(`water.${parameter}_full`) : parameter;
    const value = h("p", { class: "public-value" });
    const shape = h("span", { class: "public-shape" });
    const word = h("span");
    const state = h("p", { class: "public-state" }, shape, word);
    const age = h("p", { class: "small quiet" });
    const line = createSparkline();
    const ends = h("p", { class: "public-ends small quiet" }, h("span"), h("span", null, t("details.now")));
    const caption = h("p", { class: "visually-hidden" });
    const graph = h("div", null, line.element, ends);
    const element = h(
        "li",
        { class: "public-parameter surface" },
        h("div", { class: "public-head" }, h("div", null, h("h3", { class: "name" }, name), state, age), value),
        graph,
        caption,
    );
    return {
        name: parameter,
        element,
        /**
         * @param {Shown} shown
         * @param {Page} page
         * @param {number} now
         */
        update(shown, page, now) {
            // What people measure at a place is as old as it is.
            const old = !shown.byHand && isOld(shown.at, now);
            const told = toldOf(shown, now);
            setInk(element, shown.colour);
            set(element, "data-old", old);
            set(element, "data-state", told);
            setText(value, shown.value === null ? "–" : format.withUnit(format.number(shown.value, shown.decimals), shown.unit));
            set(state, "hidden", told === null);
            setShape(shape, told && shapes[told]);
            setText(word, told === null ? "" : t(`public.${told}`));
            setText(
                age,
                shown.at === null ? t("details.waiting") : shown.byHand ? t("home.byHand", { ago: format.ago(shown.at, now) }) : old ? t("public.old", { span: format.brief(now - shown.at) }) : t("details.read", { ago: format.ago(shown.at, now) }),
            );
            const range = rangeOf(shown);
            const span = t(`details.spanName_${page.days === 1 ? "24h" : `${page.days}d`}`);
            const [least, greatest] = [range.least, range.greatest].map((limit) => format.limit(limit, shown.decimals));
            set(graph, "hidden", shown.series.points.length === 0);
            setText(
                caption,
                shown.series.points.length === 0 ? t("public.nothing", { span }) : t("public.caption", {
                    name,
                    span,
                    least: format.withUnit(least, shown.unit),
                    greatest: format.withUnit(greatest, shown.unit),
                }),
            );
            setText(/** @type {HTMLElement} */ (ends.firstElementChild), page.days === 1 ? relative.format(-24, "hour") : relative.format(-page.days, "day"));
            line.update({
                series: shown.series,
                period: { from: page.readAt - page.days * day, to: page.readAt },
                range,
                isOld: old,
                side: null,
                maximum: greatest,
                minimum: least,
            });
        },
    };
}
