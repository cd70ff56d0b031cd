/** Tanks in their places: crowds and names of marks, a map without pictures, and what stands on a plan. */

import { deepStrictEqual as same, ok, strictEqual as equal } from "node:assert/strict";
import { crowdsOf, least, namesShown } from "../../Services/Gateway/Web/drawing/crowds.js";
import { graticuleOf, metresOfPixel, scaleOf } from "../../Services/Gateway/Web/drawing/graticule.js";
import { fitting, placeOf, pointOf, positionOf } from "../../Services/Gateway/Web/drawing/mercator.js";
import { isArrangedAs, mayPlanFor, mayStandOn, plansOf, put, ratioOf, takenOff } from "../../Services/Gateway/Web/water/plans.js";

/** @param {number} seed */
function randomly(seed) {
    let state = seed;
    return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

Deno.test("each mark is in one crowd, and no two crowds lie on each other", () => {
    for (let seed = 1; seed <= 200; seed += 1) {
        const next = randomly(seed);
        const marks = Array.from({ length: Math.floor(next() * 300) }, (_, id) => ({ id, x: next() * 900 - 50, y: next() * 500 - 50 }));
        const crowds = crowdsOf(marks);
        same(crowds.flat().map(({ id }) => id).sort((a, b) => a - b), marks.map(({ id }) => id));
        crowds.forEach(([one], index) => {
            for (const [other] of crowds.slice(index + 1)) ok(Math.abs(one.x - other.x) >= least.x || Math.abs(one.y - other.y) >= least.y);
        });
        // Those in front come first, in each crowd and among them.
        same(crowds.map(([{ id }]) => id), crowds.map(([{ id }]) => id).sort((a, b) => a - b));
        ok(crowds.every((crowd) => crowd.every(({ id }, index) => index === 0 || id > crowd[index - 1].id)));
        // A map that is dragged has the same crowds.
        const moved = crowdsOf(marks.map(({ id, x, y }) => ({ id, x: x + 1_000, y: y - 77 })));
        same(moved.map((crowd) => crowd.map(({ id }) => id)), crowds.map((crowd) => crowd.map(({ id }) => id)));
    }
});

Deno.test("whoever joins a crowd joins the nearest", () => {
    const crowds = crowdsOf([{ x: 0, y: 0 }, { x: 80, y: 0 }, { x: 50, y: 0 }]);
    same(crowds.map(({ length }) => length), [1, 2]);
});

Deno.test("names stand where there is room, those in front first", () => {
    const size = { width: 400, height: 300 };
    /** @param {number} x @param {number} y @param {string} [name] */
    const mark = (x, y, name = "Raceway C") => ({ x, y, text: "5.1", name });
    same(namesShown([mark(100, 100), mark(300, 100)], size), [true, true]);
    same(namesShown([mark(100, 100), mark(100, 126)], size), [false, true], "another mark is in the way");
    same(namesShown([mark(100, 100), mark(162, 100)], size), [true, false], "another name is");
    same(namesShown([mark(10, 100), mark(200, 290), mark(200, 100, "")], size), [false, false, false], "it would be cut, or there is none");
});

Deno.test("lines of a map are round degrees, neither crowded nor lost", () => {
    const size = { width: 640, height: 400 };
    for (const [latitude, longitude] of [[48.2, 16.37], [-17, 179.99], [0, 0], [64, -21], [84, -179.9]]) {
        for (let zoom = 1; zoom <= 19; zoom += 0.5) {
            const view = { ...pointOf({ latitude, longitude }), zoom };
            const { meridians, parallels, step } = graticuleOf(view, size);
            ok(step > 0 && meridians.length <= 8 && parallels.length <= 64, `${zoom}: ${meridians.length} ${parallels.length}`);
            ok(zoom > 2 ? meridians.length >= 1 : true, `${latitude} ${longitude} ${zoom} has no meridian`);
            for (const { at, degrees } of meridians) {
                ok(degrees >= -180 && degrees <= 180);
                const { x } = positionOf({ latitude, longitude: degrees }, view, size);
                if (zoom > 3) ok(Math.abs(x - at) < 0.5, `${degrees} at ${at}, not ${x}`);
            }
            for (const { at, degrees } of parallels) ok(Math.abs(positionOf({ latitude: degrees, longitude }, view, size).y - at) < 1e-6);
        }
    }
});

Deno.test("a scale is a round length, and a pixel as long as the earth says", () => {
    same([scaleOf(80), scaleOf(1_000), scaleOf(9_000)], [20, 200, 2_000]);
    // A degree of longitude at the equator: 111.3 km (WGS 84).
    const view = { ...pointOf({ latitude: 0, longitude: 0 }), zoom: 10 };
    const pixels = 1 / 360 * 256 * 2 ** 10;
    ok(Math.abs(metresOfPixel(view) * pixels - 111_319.5) < 1);
    const far = metresOfPixel({ ...view, ...pointOf({ latitude: 60, longitude: 0 }) });
    ok(Math.abs(far / metresOfPixel(view) - 0.5) < 1e-9);
});

Deno.test("tanks of one site are looked at as closely as they stand, one alone from further away", () => {
    const size = { width: 400, height: 300 };
    const near = fitting([{ latitude: 48.2, longitude: 16.37 }, { latitude: 48.2002, longitude: 16.3704 }], size, 40);
    ok(near.zoom > 15, `${near.zoom}`);
    equal(fitting([{ latitude: 48.2, longitude: 16.37 }, { latitude: 48.2, longitude: 16.37 }], size, 40).zoom, 15);
    const { latitude, longitude } = placeOf(pointOf({ latitude: 48.2, longitude: 16.37 }));
    ok(Math.abs(latitude - 48.2) < 1e-9 && Math.abs(longitude - 16.37) < 1e-9);
});

const plan = { id: "p", project: null, name: "Home", mayChange: true, picture: null, version: 1 };
/** @param {object} differs @returns {import("../../Services/Gateway/Web/water/tanks.js").Device} */
const device = (differs) => /** @type {any} */ ({ id: "a", name: "A", role: "owner", project: null, ...differs });
const farm = { id: "42", name: "Lake Farm", role: /** @type {const} */ ("administrator") };

Deno.test("plans are those of the group that is looked at, or of the project that acts", () => {
    const plans = [plan, { ...plan, id: "q", project: "42" }, { ...plan, id: "r", project: "7" }];
    /** @param {string | null} group @param {string | null} [acting] */
    const seen = (group, acting = null) => plansOf(plans, group, acting).map(({ id }) => id).join("");
    same([seen(null), seen(""), seen("42"), seen("", "42"), seen(null, "7")], ["pqr", "p", "q", "q", "r"]);
});

Deno.test("a plan is begun by owners and administrators, and has its owner's tanks alone", () => {
    const devices = [
        device({}),
        device({ id: "b", role: "watcher" }),
        device({ id: "c", role: "watcher", project: farm }),
        device({ id: "d", role: "watcher", project: { id: "7", name: "Shop", role: "keeper" } }),
    ];
    same(mayPlanFor(devices, null), [{ project: null, name: null }, { project: "42", name: "Lake Farm" }]);
    same(mayPlanFor(devices.slice(1, 2), null), []);
    same(mayPlanFor([], { id: "42", name: "Lake Farm" }), [{ project: "42", name: "Lake Farm" }]);
    same(mayStandOn(devices, plan, null).map(({ id }) => id), ["a"]);
    same(mayStandOn(devices, { project: "42" }, null).map(({ id }) => id), ["c"]);
    equal(mayStandOn(devices, { project: "42" }, "42").length, 4);
});

Deno.test("a tank stands in one place, on the plan", () => {
    const places = put(put([], "a", { x: 10.4, y: 20 }), "b", { x: -3, y: 1_200 });
    same(places, [{ device: "a", x: 10, y: 20 }, { device: "b", x: 0, y: 1_000 }]);
    same(put(places, "a", { x: 500, y: 500 }).length, 2);
    same(takenOff(places, "a"), [{ device: "b", x: 0, y: 1_000 }]);
    ok(isArrangedAs(places, [...places].reverse()) && !isArrangedAs(places, takenOff(places, "a")) && !isArrangedAs(places, put(places, "a", { x: 11, y: 20 })));
    equal(ratioOf({ picture: { type: "image/png", width: 1_600, height: 800, tag: "x" } }), 2);
});
