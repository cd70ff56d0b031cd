/** The way of a survey and the place of a sample: which positions count, where nobody listened, what is thinned. */

import { deepStrictEqual as same, ok, strictEqual as equal } from "node:assert/strict";
import { createTrail } from "../../Services/Gateway/Web/app/field/trail.js";
import { byDistance, newSamplePath, placesNear, settled, typedPosition, wishOf } from "../../Services/Gateway/Web/water/field/place.js";
import { accuracyOf, countOf, lengthOf, metresBetween, thinned, walked } from "../../Services/Gateway/Web/water/field/trail.js";

const start = 1_000_000;
/** So many metres north of the beginning. @param {number} metres @param {number} seconds @param {any} [more] */
const fix = (metres, seconds, more = {}) => ({ time: start + 1_000 * seconds, latitude: 46 + metres / 111_195, longitude: 7, accuracy: 4, altitude: null, ...more });

Deno.test("a position counts when it is sure enough and says something", () => {
    let track = walked([], fix(0, 0), true);
    equal(walked(track, fix(3, 4), false), track, "neither far nor late");
    equal(walked(track, fix(20, 4, { accuracy: 31 }), false), track, "not sure");
    equal(walked(track, fix(20, 4, { accuracy: NaN }), false), track);
    equal(walked(track, fix(20, 0), false), track, "a clock that stands");
    track = walked(track, fix(6, 4), false);
    track = walked(track, fix(6, 15), false);
    same(track.map(({ length }) => length), [3]);
    track = walked(track, fix(30, 20), true);
    equal(walked(track, fix(60, 19), true), track, "a clock that was put back, or what the phone knew before its gap");
    track = walked(track, fix(60, 100), false);
    same(track.map(({ length }) => length), [3, 1, 1], "nobody listened before");
    equal(Math.round(lengthOf(track)), 6, "nothing is walked in gaps");
    equal(accuracyOf(track), 4);
    equal(accuracyOf([]), null);
});

Deno.test("a straight way is its ends, a corner stays, and a loop is more than a point", () => {
    const line = Array.from({ length: 100 }, (_, index) => fix(10 * index, index));
    same(thinned([line]), [[line[0], line[99]]]);
    const corner = [...line, ...Array.from({ length: 50 }, (_, index) => ({ ...fix(990, 100 + index), longitude: 7 + (index + 1) / 5_000 }))];
    const thin = thinned([corner])[0];
    same(thin.length, 3);
    ok(metresBetween(thin[1], fix(990, 0)) < 20);
    const loop = [fix(0, 0), fix(100, 10), fix(0, 20)];
    same(thinned([loop]), [loop], "its ends are one place");
    same(thinned(thinned([corner])), thinned([corner]), "thinned twice it is the same");
});

Deno.test("however long a way is, it has so many points and stretches, and its ends", () => {
    const zigzag = Array.from({ length: 4_000 }, (_, index) => ({ ...fix(10 * index, index), longitude: 7 + (index % 2) / 1_000 }));
    const thin = thinned([zigzag, zigzag], 100);
    ok(countOf(thin) <= 100, `${countOf(thin)}`);
    same(thin.map((segment) => [segment[0], segment.at(-1)]), [zigzag, zigzag].map((segment) => [segment[0], segment.at(-1)]));
    const stretches = Array.from({ length: 30 }, (_, index) => Array.from({ length: index + 1 }, (_, at) => ({ ...fix(100 * at, at), longitude: 7 + (at % 2) / 100 })));
    const kept = thinned(stretches);
    same([kept.length, kept[0].length, kept.at(-1)?.length], [20, 11, 30], "the shortest go");
    const long = Array.from({ length: 10_000 }, (_, index) => fix(10 * index, 10 * index));
    ok(countOf(walked([long], fix(100_000, 100_000), false)) < 5_000, "what is kept here is bounded, too");
});

Deno.test("distances are right near the poles of what people walk, and across the date line", () => {
    equal(Math.round(metresBetween({ latitude: 0, longitude: 179.9995 }, { latitude: 0, longitude: -179.9995 })), 111);
    equal(Math.round(metresBetween({ latitude: 60, longitude: 10 }, { latitude: 60, longitude: 10.001 })), 56);
});

Deno.test("a place is the middle of the last good fixes", () => {
    equal(settled([]), null);
    const fixes = [fix(500, 0), fix(0, 20, { accuracy: 40 }), fix(0, 24), fix(2, 26, { accuracy: 6, altitude: 500 }), fix(1, 28, { accuracy: 5 })];
    const place = settled(fixes);
    same([place?.accuracy, place?.altitude, place?.source], [5, 500, "gps"]);
    ok(metresBetween(place ?? fixes[0], fix(1, 0)) < 0.1, "without the coarse one and the old one");
    const [one, other] = [fix(0, 0, { longitude: 179.99999 }), fix(0, 1, { longitude: -179.99999 })];
    equal(settled([one, other])?.longitude, -179.99999);
    same(typedPosition("46,948", "7.4474"), { latitude: 46.948, longitude: 7.4474, accuracy: null, altitude: null, source: "typed" });
    same([typedPosition("91", "7"), typedPosition("46", "181"), typedPosition("", "7")], [null, null, null]);
});

Deno.test("known places stand by their distance, those without one last", () => {
    const places = [{ id: "none", latitude: null, longitude: null }, { id: "far", latitude: 47, longitude: 7 }, { id: "near", latitude: 46.0001, longitude: 7 }];
    same(byDistance(places, { latitude: 46, longitude: 7 }).map(({ place, metres }) => [place.id, metres === null ? null : Math.round(metres)]), [["near", 11], ["far", 111_195], ["none", null]]);
    same(byDistance(places, null).map(({ place }) => place.id), ["none", "far", "near"]);
});

Deno.test("places near a press on the map are offered, the nearest first, and a new sample knows where it was", () => {
    const at = { latitude: 46.948, longitude: 7.4474 };
    const known = [{ id: "far", latitude: 46.95, longitude: 7.4474 }, { id: "near", latitude: 46.949, longitude: 7.4474 }, { id: "here", ...at }, { id: "nowhere", latitude: null, longitude: null }];
    same(placesNear(known, at).map(({ place }) => place.id), ["here", "near"], "222 m are too far");
    equal(placesNear(Array.from({ length: 9 }, () => at), at).length, 5);
    const path = new URL(newSamplePath({ device: "a b", at: { latitude: 46.94800049, longitude: -7.4474 } }), "https://water.example");
    same([path.search, path.hash], ["?device=a%20b", "#at=46.948,-7.4474"], "behind the mark it is told to nobody");
    same(wishOf(path), { device: "a b", position: { latitude: 46.948, longitude: -7.4474, accuracy: null, altitude: null, source: "map" } });
    same(wishOf({ search: "", hash: "#at=99,7" }), { device: null, position: null });
    same(wishOf({ search: "", hash: "" }), { device: null, position: null });
});

Deno.test("a way is listened to while the page is in sight, and has a gap where it was not", () => {
    /** @type {any} */
    let draft = { track: [] };
    let hear = /** @type {((fix: any) => void) | null} */ (null);
    const tell = (/** @type {any} */ one) => /** @type {any} */ (hear)(one);
    let awake = 0;
    /** @type {() => void} */
    let seen = () => {};
    const page = { hidden: false, addEventListener: (/** @type {string} */ _, /** @type {any} */ run) => void (seen = run), removeEventListener: () => void (seen = () => {}) };
    const watch = (/** @type {any} */ heard) => {
        hear = heard;
        return () => void (hear = null);
    };
    const keep = (/** @type {(isAwake: boolean) => void} */ changed) => {
        awake += 1;
        changed(true);
        return () => void (awake -= 1);
    };
    const trail = createTrail(/** @type {any} */ ({ change: (/** @type {string} */ _, /** @type {any} */ run) => draft = run(draft) }), { watch, awake: keep, page: /** @type {any} */ (page) });
    equal(hear, null, "nobody began");
    trail.begin("a");
    same([trail.listening.value?.isAwake, awake], [true, 1]);
    tell(fix(0, 0));
    tell(fix(10, 5));
    page.hidden = true;
    seen();
    equal(hear, null, "nothing is asked behind a dark screen");
    page.hidden = false;
    seen();
    tell(fix(40, 20));
    same(draft.track.map((/** @type {any} */ { length }) => length), [2, 1]);
    trail.end();
    same([hear, awake, trail.listening.value], [null, 0, null]);
});
