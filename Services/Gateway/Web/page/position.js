/** Where this device is, as long as somebody asks: as exact as it can be, and never from before. */

/** @typedef {import("../water/field/place.js").PlaceFix} PlaceFix */
/** Why no position comes. @typedef {'denied' | 'unknown'} NoPosition */

/**
 * @param {(fix: PlaceFix) => void} heard
 * @param {(why: NoPosition) => void} failed It may still come after `unknown`.
 * @returns {() => void} What ends it.
 */
export function watchPosition(heard, failed) {
    if (!("geolocation" in navigator)) {
        failed("unknown");
        return () => {};
    }
    const number = navigator.geolocation.watchPosition(
        ({ coords, timestamp }) => {
            const { latitude, longitude, accuracy, altitude } = coords;
            heard({ time: timestamp, latitude, longitude, accuracy, altitude });
        },
        ({ code }) => failed(code === GeolocationPositionError.PERMISSION_DENIED ? "denied" : "unknown"),
        { enableHighAccuracy: true, maximumAge: 0, timeout: 30_000 },
    );
    return () => navigator.geolocation.clearWatch(number);
}
