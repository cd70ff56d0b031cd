/**
 * A dial of a whole day: midnight is above, noon below, and time goes round as on a clock.
 */

const day = 24 * 60;

/**
 * @param {number} minutes Since midnight.
 * @param {number} radius
 * @returns {{x: number, y: number}} From the middle; down is positive.
 */
export function pointOn(minutes, radius) {
    const angle = minutes / day * 2 * Math.PI;
    return { x: radius * Math.sin(angle), y: -radius * Math.cos(angle) };
}

/**
 * The time of day in a direction from the middle.
 * @param {number} x
 * @param {number} y
 */
export function minutesAt(x, y) {
    const minutes = Math.atan2(x, -y) / (2 * Math.PI) * day;
    return minutes < 0 ? minutes + day : minutes;
}

/**
 * The way round from one time of day to another, as a path about the middle.
 * @param {number} from
 * @param {number} until Another one.
 * @param {number} radius
 */
export function arc(from, until, radius) {
    const isLong = ((until - from) % day + day) % day > day / 2;
    const [begin, end] = [from, until].map((minutes) => {
        const { x, y } = pointOn(minutes, radius);
        return `${x.toFixed(2)} ${y.toFixed(2)}`;
    });
    return `M${begin}A${radius} ${radius} 0 ${isLong ? 1 : 0} 1 ${end}`;
}
