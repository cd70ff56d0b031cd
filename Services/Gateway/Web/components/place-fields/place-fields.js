/** Where something is: two fields, and a button that asks this device's receiver. */

import { parseNumber } from "../../words/numbers.js";
import { createButton } from "../button/button.js";
import { createField } from "../field/field.js";

/** @typedef {{latitude: number | null, longitude: number | null, accuracy?: number | null, source?: string | null}} Place */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {Place} place What stands there at first.
 * @param {object} [wishes]
 * @param {boolean} [wishes.isExact] Whether it is wanted to the metre, and not to about ten, which is enough for a pond.
 * @param {boolean} [wishes.mayBeNone] Whether both may be left empty.
 */
export function createPlaceFields(context, place, { isExact = false, mayBeNone = false } = {}) {
    const { t, format } = context;
    /** @param {number | null} value */
    const text = (value) => value === null ? "" : format.number(value, 5);
    const latitude = createField({ label: t("devices.latitude"), name: "latitude", value: text(place.latitude), inputmode: "text", placeholder: format.number(48.20849, 5) });
    const longitude = createField({ label: t("devices.longitude"), name: "longitude", value: text(place.longitude), inputmode: "text", placeholder: format.number(16.37208, 5) });
    const here = createButton({ text: t("devices.place_here"), busyText: t("devices.place_finding"), kind: "outlined", press: find });
    /** What the receiver said, and as which texts it stands in the fields. @type {{texts: string, accuracy: number} | null} */
    let found = null;

    const texts = () => `${latitude.value} ${longitude.value}`;
    const former = texts();

    /** @returns {Promise<void>} */
    function find() {
        return new Promise((resolve) => {
            navigator.geolocation.getCurrentPosition(({ coords }) => {
                const decimals = isExact ? 5 : 4;
                latitude.value = format.number(coords.latitude, decimals);
                longitude.value = format.number(coords.longitude, decimals);
                found = { texts: texts(), accuracy: Math.round(Math.max(coords.accuracy, isExact ? 1 : 10)) };
                latitude.setFault(null);
                longitude.setFault(null);
                resolve();
            }, () => {
                latitude.setFault({ what: t("devices.place_unknown"), todo: t("devices.place_unknownTodo") });
                resolve();
            }, { timeout: 20_000, maximumAge: isExact ? 0 : 600_000, enableHighAccuracy: isExact });
        });
    }

    /**
     * @param {import("../field/field.js").Field} field
     * @param {number} most
     */
    function degrees(field, most) {
        const value = parseNumber(field.value);
        if (value !== null && Math.abs(value) <= most) return value;
        field.setFault({ what: t("devices.degrees"), todo: t("devices.degrees_todo", { most }) });
        field.focus();
        return null;
    }

    return {
        elements: ["geolocation" in navigator ? here.element : null, latitude.element, longitude.element],
        /**
         * What is in the fields; null where that is no place, which is said there.
         * @returns {Place | null}
         */
        read() {
            if (mayBeNone && texts().trim() === "") return { latitude: null, longitude: null };
            const [north, east] = [degrees(latitude, 90), degrees(longitude, 180)];
            if (north === null || east === null) return null;
            const told = { latitude: north, longitude: east };
            // What nobody touched is told as it was.
            if (texts() === former) return { latitude: place.latitude, longitude: place.longitude };
            return found?.texts === texts() ? { ...told, accuracy: Math.min(found.accuracy, 100_000), source: "gps" } : { ...told, source: "typed" };
        },
    };
}
