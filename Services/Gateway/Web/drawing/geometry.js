/**
 * The geometry of lines, bands and marks, without a page. Lengths are CSS pixels, y grows downwards.
 */

/** @typedef {import("../water/series.js").Sample} Sample */
/** @typedef {import("../water/series.js").Point} Point */
/** @typedef {import("../water/series.js").Series} Series */
/** @typedef {(value: number) => number} Scale */

/**
 * A linear scale from the values `from`...`to` to the places `start`...`end`.
 * @param {number} from
 * @param {number} to
 * @param {number} start
 * @param {number} end
 * @returns {Scale}
 */
export function scale(from, to, start, end) {
    const span = to - from;
    return (value) => span === 0 ? (start + end) / 2 : start + (value - from) / span * (end - start);
}

/**
 * The values of a vertical axis: the data and both limits, and a margin of 15 % on either side.
 * @param {{least: number, greatest: number} | null} extent
 * @param {{minimum: number | null, maximum: number | null}} range
 * @param {number} [margin]
 * @returns {{low: number, high: number}}
 */
export function domainOf(extent, range, margin = 0.15) {
    const values = [extent?.least, extent?.greatest, range.minimum, range.maximum].filter(
        /** @returns {value is number} */ (value) => value !== undefined && value !== null,
    );
    if (values.length === 0) return { low: 0, high: 1 };
    const [least, greatest] = [Math.min(...values), Math.max(...values)];
    const span = greatest - least || Math.abs(greatest) * 0.1 || 1;
    return { low: least - span * margin, high: greatest + span * margin };
}

/**
 * The marks of a vertical axis: multiples of 1, 2 or 5 times a power of ten, five at most: the finest such
 * step, which leaves three of them nearly always.
 * @param {number} low
 * @param {number} high
 * @returns {number[]}
 */
export function ticksOf(low, high) {
    const span = high - low;
    if (!(span > 0) || !Number.isFinite(span)) return [];
    const power = Math.floor(Math.log10(span / 5));
    for (const [factor, exponent] of [[1, 0], [2, 0], [5, 0], [1, 1], [2, 1], [5, 1], [1, 2]]) {
        const digits = -(power + exponent);
        const step = factor * 10 ** -digits;
        const first = Math.ceil(low / step - 1e-9);
        const count = Math.floor(high / step + 1e-9) - first + 1;
        if (count > 5) continue;
        return Array.from({ length: count }, (_, index) => {
            const value = (first + index) * step;
            return digits > 0 ? Number(value.toFixed(digits)) : value;
        });
    }
    return [];
}

/**
 * A length with one digit behind the point: a tenth of a pixel is finer than any screen.
 * @param {number} length
 */
export function rounded(length) {
    return Math.round(length * 10) / 10;
}

/**
 * A line through corners, straight from one to the next.
 * @param {readonly Sample[]} corners
 * @param {Scale} x
 * @param {Scale} y
 */
export function linePath(corners, x, y) {
    let path = "";
    let previous = "";
    for (const corner of corners) {
        const place = `${rounded(x(corner.time))} ${rounded(y(corner.value))}`;
        if (place === previous) continue;
        path += (path === "" ? "M" : "L") + place;
        previous = place;
    }
    // A single value is a dot: a line without length has round caps.
    return corners.length > 0 && !path.includes("L") ? `${path}h0` : path;
}

/**
 * The area between the least and the greatest values of a piece.
 * @param {readonly Point[]} run
 * @param {Series} series
 * @param {Scale} x
 * @param {Scale} y
 */
export function envelopePath(run, series, x, y) {
    if (run.length === 0) return "";
    /** @param {Point} point */
    const middle = (point) => rounded(x(point.time + series.step / 2));
    const upper = run.map((point) => `${middle(point)} ${rounded(y(point.greatest))}`);
    const lower = run.map((point) => `${middle(point)} ${rounded(y(point.least))}`).reverse();
    return `M${[...upper, ...lower].join("L")}Z`;
}

/**
 * The area between a line and a limit. What is on the inner side is left to a clip.
 * @param {readonly Sample[]} corners
 * @param {number} limit
 * @param {Scale} x
 * @param {Scale} y
 */
export function areaPath(corners, limit, x, y) {
    if (corners.length < 2) return "";
    const base = rounded(y(limit));
    const places = corners.map((corner) => `${rounded(x(corner.time))} ${rounded(y(corner.value))}`);
    const [first, last] = [rounded(x(corners[0].time)), rounded(x(corners[corners.length - 1].time))];
    return `M${first} ${base}L${places.join("L")}L${last} ${base}Z`;
}

/**
 * The parts of a plot that are outside the limits, half a stroke beyond each: a line on a limit is inside.
 * @param {{minimum: number | null, maximum: number | null}} range
 * @param {Scale} y
 * @param {{top: number, bottom: number}} plot
 * @param {number} stroke The width of the line.
 * @returns {{above: {top: number, height: number} | null, below: {top: number, height: number} | null}}
 */
export function outsideOf(range, y, plot, stroke) {
    const half = stroke / 2;
    const ceiling = range.maximum === null ? null : y(range.maximum) - half;
    const floor = range.minimum === null ? null : y(range.minimum) + half;
    return {
        above: ceiling === null || ceiling <= plot.top
            ? null
            : { top: plot.top, height: rounded(ceiling - plot.top) },
        below: floor === null || floor >= plot.bottom
            ? null
            : { top: rounded(floor), height: rounded(plot.bottom - floor) },
    };
}

/**
 * How a sparkline stands in its place: its box is the range. If the data leave the range, the box shrinks so that all of
 * it fits.
 * @param {{least: number, greatest: number} | null} extent
 * @param {{low: number, high: number}} ends The range's ends.
 * @param {{height: number, box: number, inset: number}} place The whole height, the box's height when nothing leaves it,
 *     and how far from the edge a value may be when something does.
 */
export function sparkFrame(extent, ends, { height, box, inset }) {
    const below = extent ? Math.max(0, ends.low - extent.least) : 0;
    const above = extent ? Math.max(0, extent.greatest - ends.high) : 0;
    const span = ends.high - ends.low || 1;
    const upper = above > 0 ? inset : 0;
    const lower = below > 0 ? inset : 0;
    const unit = Math.min(box / span, (height - upper - lower) / (span + above + below));
    const least = upper + above * unit;
    const most = height - lower - (span + below) * unit;
    const top = Math.min(most, Math.max(least, (height - box) / 2));
    return { top, height: span * unit, y: scale(ends.low, ends.high, top + span * unit, top) };
}

/**
 * A ring of 270 degrees, open below, and the place on it of a share between 0 and 1.
 * @param {number} centre
 * @param {number} radius
 */
export function ringPath(centre, radius) {
    const start = ringPlace(centre, radius, 0);
    const end = ringPlace(centre, radius, 1);
    return `M${rounded(start.x)} ${rounded(start.y)}A${radius} ${radius} 0 1 1 ${rounded(end.x)} ${rounded(end.y)}`;
}

/**
 * @param {number} centre
 * @param {number} radius
 * @param {number} share
 */
export function ringPlace(centre, radius, share) {
    const angle = (135 + 270 * share) * Math.PI / 180;
    return { x: centre + radius * Math.cos(angle), y: centre + radius * Math.sin(angle) };
}
