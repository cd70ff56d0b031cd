/** Many points of the square on a window: which of them are drawn where, and which are meant by a press. */

/** @typedef {import("./mercator.js").Point} Point */
/** @typedef {import("./mercator.js").View} View */
/** @typedef {import("./mercator.js").Size} Size */

/** One point is drawn in a cell of so many pixels. */
const cell = 8;

/** @param {readonly Point[]} points Those in front first. */
export function createScatter(points) {
    const xs = Float64Array.from(points, ({ x }) => x);
    const ys = Float64Array.from(points, ({ y }) => y);
    /** The cells in which something is drawn. */
    let taken = new Uint8Array(0);

    return {
        /**
         * The points to be drawn, the foremost of each cell. Cells are fixed to the square, so that the same points are drawn wherever the map is dragged.
         * @param {View} view
         * @param {Size} size
         * @param {number} edge By how many pixels the drawing reaches over each side of the window.
         * @param {(index: number, x: number, y: number) => void} put Takes a point and where it stands in the window.
         */
        draw(view, { width, height }, edge, put) {
            const world = 256 * 2 ** view.zoom;
            const [west, north] = [view.x * world - width / 2, view.y * world - height / 2];
            const [column, row] = [Math.floor((west - edge) / cell), Math.floor((north - edge) / cell)];
            const columns = Math.ceil((width + 2 * edge) / cell) + 1;
            const rows = Math.ceil((height + 2 * edge) / cell) + 1;
            if (taken.length !== columns * rows) taken = new Uint8Array(columns * rows);
            else taken.fill(0);
            for (let index = 0; index < xs.length; index += 1) {
                let east = xs[index] - view.x;
                east -= Math.round(east); // the nearer side of the earth
                const x = width / 2 + east * world;
                const y = height / 2 + (ys[index] - view.y) * world;
                if (x < -edge || y < -edge || x >= width + edge || y >= height + edge) continue;
                const place = (Math.floor((y + north) / cell) - row) * columns + Math.floor((x + west) / cell) - column;
                if (taken[place] === 1) continue;
                taken[place] = 1;
                put(index, x, y);
            }
        },

        /**
         * The points that a press may mean, nearest first. Ten thousand are looked through in less than a millisecond: an index would cost more.
         * @param {Point} at In the window.
         * @param {number} within Pixels.
         * @param {View} view
         * @param {Size} size
         * @returns {number[]} Their indexes.
         */
        near(at, within, view, { width, height }) {
            const world = 256 * 2 ** view.zoom;
            /** @type {{index: number, distance: number}[]} */
            const found = [];
            for (let index = 0; index < xs.length; index += 1) {
                const south = height / 2 + (ys[index] - view.y) * world - at.y;
                if (Math.abs(south) > within) continue;
                let east = xs[index] - view.x;
                east -= Math.round(east);
                const distance = Math.hypot(width / 2 + east * world - at.x, south);
                if (distance <= within) found.push({ index, distance });
            }
            return found.sort((one, other) => one.distance - other.distance).map(({ index }) => index);
        },
    };
}
