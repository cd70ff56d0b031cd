/** A graph of a profile: the depth goes down, the value across, and each date has its line and mark. The newest is drawn last and strongest. */

import { rounded, scale, ticksOf } from "../../drawing/geometry.js";
import { h, svg } from "../../page/dom.js";
import { axesOf } from "../../water/field/profile.js";
import { depthText } from "../../water/field/text.js";

/** @typedef {import("../../water/field/profile.js").Profile} Profile */
/** @typedef {import("../../water/field/profile.js").ProfileLine} ProfileLine */

const size = { width: 320, height: 280 };
const frame = { left: 48, right: 308, top: 28, bottom: 268 };

/**
 * @param {import("../../app/context.js").Context} context
 * @param {Profile} profile
 * @param {string | null} [present] The sample that is looked at already.
 */
export function createDepthProfile(context, profile, present = null) {
    const { t, format } = context;
    const { label, unit, lines } = profile;
    const { low, high, deepest } = axesOf(profile);
    const x = scale(low, high, frame.left, frame.right);
    const y = scale(0, deepest, frame.top, frame.bottom);
    /** @param {number} value */
    const text = (value) => format.number(value, String(value).split(".")[1]?.length ?? 0);
    const depths = [...new Set([0, ...ticksOf(0, deepest)])];
    const drawing = svg(
        "svg",
        { class: "profile-drawing", viewBox: `0 0 ${size.width} ${size.height}`, role: "img", "aria-label": t("field.profile_label", { name: label, count: lines.length }) },
        depths.map((depth) => svg("path", { class: "profile-grid", d: `M${frame.left} ${rounded(y(depth))}H${frame.right}` })),
        depths.map((depth) => svg("text", { class: "profile-tick", x: frame.left - 8, y: rounded(y(depth) + 4), "text-anchor": "end" }, depthText(context, depth))),
        ticksOf(low, high).map((value) => svg("text", { class: "profile-tick", x: rounded(x(value)), y: 16, "text-anchor": "middle" }, text(value))),
        [...lines].reverse().map((line, index) => drawLine(line, lines.length - 1 - index)),
    );

    /** @param {ProfileLine} line @param {number} age */
    function drawLine({ points }, age) {
        const places = points.map(({ depth, value }) => ({ x: rounded(x(value)), y: rounded(y(depth)) }));
        return svg(
            "g",
            { "data-age": age },
            svg("path", { class: "profile-line", d: `M${places.map((place) => `${place.x} ${place.y}`).join("L")}` }),
            places.map((place) => svg("rect", { class: "profile-mark", x: rounded(place.x - 3.5), y: rounded(place.y - 3.5), width: 7, height: 7, rx: 1.5 })),
        );
    }

    /** A line as it is drawn, with its date, which leads to its sample. @param {ProfileLine} line @param {number} age */
    function legendOf({ id, at, points }, age) {
        const shallow = points[0];
        const deep = points[points.length - 1];
        const said = t("field.profile_course", {
            top: format.withUnit(text(shallow.value), unit), shallow: depthText(context, shallow.depth), bottom: format.withUnit(text(deep.value), unit), deep: depthText(context, deep.depth),
        });
        const key = svg("svg", { class: "profile-key", viewBox: "0 0 32 12", "aria-hidden": "true" }, svg("g", { "data-age": age }, svg("path", { class: "profile-line", d: "M0 6H32" }), svg("rect", { class: "profile-mark", x: 12.5, y: 2.5, width: 7, height: 7, rx: 1.5 })));
        const isOnlyOne = lines.every((other) => other.id === id || format.date(other.at) !== format.date(at));
        const date = isOnlyOne ? format.date(at) : format.moment(at, 0);
        return h("li", { class: "profile-date" }, key, id === present ? h("strong", null, date) : h("a", { href: `/field/${id}` }, date), h("span", { class: "small quiet" }, said));
    }

    return h(
        "figure",
        { class: "profile surface inked" },
        h("figcaption", { class: "name" }, unit === "" ? label : t("field.profile_unit", { name: label, unit: format.withUnit("", unit).trim() })),
        drawing,
        h("ol", { class: "profile-dates" }, lines.map(legendOf)),
    );
}
