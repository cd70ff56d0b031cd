/** Marks along a line that would lie on each other stand together. */

/**
 * @template T
 * @typedef {{place: number, items: T[]}} Cluster
 */

/**
 * @template T
 * @param {readonly T[]} items
 * @param {(item: T) => number} placeOf
 * @param {number} least The distance from which on two of them stand apart.
 * @returns {Cluster<T>[]} From left to right, each in the middle of what it stands for.
 */
export function clustered(items, placeOf, least) {
    /** @type {Cluster<T>[]} */
    let clusters = items.map((item) => ({ place: placeOf(item), items: [item] })).sort((one, other) => one.place - other.place);
    for (let had = Infinity; clusters.length < had;) {
        had = clusters.length;
        clusters = joined(clusters, least);
    }
    return clusters;
}

/**
 * Each with those that follow too closely.
 * @template T
 * @param {readonly Cluster<T>[]} clusters
 * @param {number} least
 */
function joined(clusters, least) {
    /** @type {Cluster<T>[]} */
    const next = [];
    for (const cluster of clusters) {
        const last = next.at(-1);
        if (!last || cluster.place - last.place >= least) {
            next.push({ ...cluster });
            continue;
        }
        const [a, b] = [last.items.length, cluster.items.length];
        last.place = (last.place * a + cluster.place * b) / (a + b);
        last.items = [...last.items, ...cluster.items];
    }
    return next;
}
