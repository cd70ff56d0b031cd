/** What is said of a sample in words. */

import { labelOf, valueText } from "./values.js";
import { valueKey } from "./conflict.js";

/** @typedef {import("../../words/format.js").Voice} Voice */
/** @typedef {Voice & {store: {deviceOf: (id: string) => {name: string} | null}}} Surroundings */
/** @typedef {import("./protocol.js").Protocol} Protocol */

/**
 * @param {Surroundings} surroundings
 * @param {{device: string | null, place?: string | null}} sample
 */
export function placeName({ t, store }, { device, place = null }) {
    return device === null ? place || t("field.no_place") : store.deviceOf(device)?.name ?? device;
}

/**
 * A place in the sample behind a label: "Colour, station 2", "Oxygen, 3 m".
 * @param {Voice} voice
 * @param {string} key
 * @param {Protocol} protocol
 */
export function spotLabel({ t, format }, key, protocol) {
    const { label, station, depth } = labelOf(key, protocol);
    if (station !== undefined) return t("field.at_station", { name: label, station });
    return depth === undefined ? label : t("field.at_depth", { name: label, depth: depthText({ t, format }, depth) });
}

/** @param {Voice} voice @param {number} depth */
export const depthText = ({ format }, depth) => format.withUnit(format.number(depth, String(depth).split(".")[1]?.length ?? 0), "m");

/** @param {Voice} voice @param {number} metres */
export function distanceText({ format }, metres) {
    return metres < 1_000 ? format.withUnit(format.number(metres, 0), "m") : format.withUnit(format.number(metres / 1_000, 1), "km");
}

/**
 * A part of a sample that was said twice: its name and what one of both says.
 * @param {Surroundings} surroundings
 * @param {string} part
 * @param {Protocol} protocol
 */
export function partName(surroundings, part, protocol) {
    const key = valueKey(part);
    return key === null ? surroundings.t(`field.part_${part}`) : spotLabel(surroundings, key, protocol);
}

/**
 * @param {Surroundings} surroundings
 * @param {string} part
 * @param {any} said
 * @param {Protocol} protocol
 */
export function partText(surroundings, part, said, protocol) {
    const { t, format } = surroundings;
    if (said === undefined || said === null || Array.isArray(said) && said.length === 0) return t("field.nothing");
    if (valueKey(part) !== null) return valueText(surroundings, protocol.fields.find(({ id }) => id === said.field), said);
    if (part === "begunAt" || part === "endedAt") return format.moment(Date.parse(said));
    if (part === "surveyors") return said.join(", ");
    if (part === "weather") return weatherText(surroundings, said) || t("field.nothing");
    if (part === "position") return positionText(surroundings, said);
    if (part === "track") return t("field.points", { count: said.reduce((/** @type {number} */ sum, /** @type {unknown[]} */ segment) => sum + segment.length, 0) });
    return String(said);
}

/**
 * @param {Voice} voice
 * @param {import("./draft.js").Position} position
 */
export function positionText({ t, format }, { latitude, longitude, accuracy }) {
    const degrees = `${format.number(latitude, 5)}°, ${format.number(longitude, 5)}°`;
    return accuracy === null ? degrees : `${degrees} · ${t("field.accuracy", { metres: accuracy })}`;
}

/**
 * @param {Voice} voice
 * @param {NonNullable<import("./draft.js").Content["weather"]>} weather
 */
function weatherText({ t, format }, { now, before, airTemperature, wind, cloud, rain }) {
    /** @param {number | null | undefined} value @param {string} unit */
    const figure = (value, unit) => format.withUnit(format.number(value, String(value).split(".")[1]?.length ?? 0), unit);
    return [
        now ? t(`field.sky_${now}`) : "",
        before ? t("field.weather_was", { sky: t(`field.sky_${before}`) }) : "",
        airTemperature === null || airTemperature === undefined ? "" : figure(airTemperature, "C"),
        wind === null || wind === undefined ? "" : t("field.wind_is", { force: wind }),
        cloud === null || cloud === undefined ? "" : t("field.cloud_is", { share: figure(cloud, "%") }),
        rain === null || rain === undefined ? "" : t("field.rain_is", { amount: figure(rain, "mm") }),
    ].filter((text) => text !== "").join(" · ");
}
