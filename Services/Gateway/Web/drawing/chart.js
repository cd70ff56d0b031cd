/**
 * Places on a plain chart: no map, nobody else is asked. North is up, distances are true to scale around the middle.
 */

/** @typedef {{id: string, latitude: number, longitude: number}} Place */

const metresOfDegree = 111_320;
/** Nothing is drawn larger than this much water: two ponds side by side are not kilometres apart. */
const least = 60;

/**
 * @param {readonly Place[]} places
 * @param {number} size Of the square that they are drawn in.
 * @param {number} margin
 * @returns {{points: {id: string, x: number, y: number}[], metresAcross: number}}
 */
export function chartOf(places, size, margin) {
    if (places.length === 0) return { points: [], metresAcross: least };
    // Around the date line longitudes are counted on.
    const first = places[0].longitude;
    const turned = places.map(({ id, latitude, longitude }) => ({
        id,
        latitude,
        longitude: first + ((longitude - first + 540) % 360) - 180,
    }));
    const latitudes = turned.map((place) => place.latitude);
    const longitudes = turned.map((place) => place.longitude);
    const middle = { latitude: mean(latitudes), longitude: mean(longitudes) };
    const shrink = Math.max(0.01, Math.cos(middle.latitude * Math.PI / 180));
    const metres = turned.map(({ id, latitude, longitude }) => ({
        id,
        east: (longitude - middle.longitude) * metresOfDegree * shrink,
        north: (latitude - middle.latitude) * metresOfDegree,
    }));
    const reach = Math.max(least / 2, ...metres.map(({ east, north }) => Math.max(Math.abs(east), Math.abs(north))));
    const scale = (size / 2 - margin) / reach;
    return {
        points: metres.map(({ id, east, north }) => ({ id, x: size / 2 + east * scale, y: size / 2 - north * scale })),
        metresAcross: size / scale,
    };
}

/**
 * A round length of about a quarter of the chart, for the scale below it.
 * @param {number} metresAcross
 */
export function scaleOf(metresAcross) {
    const wished = metresAcross / 4;
    const power = 10 ** Math.floor(Math.log10(wished));
    const step = [5, 2, 1].find((factor) => factor * power <= wished) ?? 1;
    return step * power;
}

/** @param {readonly number[]} values */
function mean(values) {
    return (Math.min(...values) + Math.max(...values)) / 2;
}
