/** Claim codes, alerts as stretches of time, routes, the page's list of styles. */

import { episodesOf } from "../../Services/Gateway/Web/water/alerts.js";
import { codeIn, isWhole, tidied } from "../../Services/Gateway/Web/words/claim-code.js";
import { inkOf } from "../../Services/Gateway/Web/drawing/ink.js";
import { colourOfHue } from "../../Services/Gateway/Web/drawing/hues.js";
import { bytesOf, textOf } from "../../Services/Gateway/Web/app/push.js";
import { match } from "../../Services/Gateway/Web/app/routes.js";
import { isOpen } from "../../Services/Gateway/Web/kinds/index.js";
import * as screens from "../../Services/Gateway/Web/screens/index.js";

/**
 * @param {unknown} one
 * @param {unknown} other
 */
function assertSame(one, other) {
    const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
    if (a !== b) throw new Error(`${a} is not ${b}`);
}

Deno.test("a code is tidied as it is typed or pasted", () => {
    assertSame(tidied("7kq2m8xd0r4t"), "7KQ2-M8XD-0R4T");
    assertSame(tidied(" 7KQ2 - m8xd - or4t\n"), "7KQ2-M8XD-0R4T");
    assertSame(tidied("il"), "11");
    assertSame(tidied("７ＫＱ２"), "7KQ2");
    assertSame(tidied("7KQ2-M8XD-0R4T-99"), "7KQ2-M8XD-0R4T");
    assertSame([isWhole("7KQ2-M8XD-0R4"), isWhole("7KQ2M8XD0R4T")], [false, true]);
});

Deno.test("a label may hold an address that ends with the code", () => {
    assertSame(codeIn("https://water.example/link#7KQ2-M8XD-0R4T"), "7KQ2-M8XD-0R4T");
    assertSame(codeIn("7KQ2-M8XD-0R4T"), "7KQ2-M8XD-0R4T");
    assertSame(codeIn("https://example.org/"), null);
});

/**
 * @param {string} id
 * @param {'alarm' | 'reminder' | 'recovery' | 'test'} purpose
 * @param {string} decidedAt
 * @param {string} since
 * @returns {import("../../Services/Gateway/Web/water/alerts.js").Alert}
 */
function alert(id, purpose, decidedAt, since) {
    return {
        id,
        purpose,
        state: "delivered",
        title: "",
        text: "",
        decidedAt,
        eventTime: decidedAt,
        since,
        acceptedAt: null,
        device: { id: "pond", name: "Pond" },
        parameter: "ph",
        side: "low",
        unit: "pH",
        value: 7,
        worst: 7,
        limit: 7.5,
        checkProbe: false,
    };
}

Deno.test("what was sent about one stretch is one row", () => {
    const since = "2026-05-01T12:00:00Z";
    const episodes = episodesOf([
        alert("4", "alarm", "2026-05-02T09:00:00Z", "2026-05-02T09:00:00Z"),
        alert("3", "recovery", "2026-05-01T13:00:00Z", since),
        alert("2", "reminder", "2026-05-01T12:30:00Z", since),
        alert("1", "alarm", "2026-05-01T12:00:01Z", since),
    ]);
    assertSame(episodes.map((episode) => [episode.first.id, episode.alerts.length]), [["4", 1], ["1", 3]]);
    assertSame(episodes[1].until, Date.parse("2026-05-01T13:00:00Z"));
    const gauge = { name: "ph", side: "low", since: Date.parse("2026-05-02T09:00:00Z") };
    const tanks = /** @type {any} */ ([{ id: "pond", gauges: [gauge] }]);
    assertSame(episodes.map((episode) => isOpen(episode, tanks)), [true, false]);
});

Deno.test("a hue is found again in the colour that is kept", () => {
    for (let hue = 0; hue < 360; hue += 5) {
        const wanted = inkOf(colourOfHue(hue)).hue;
        const distance = Math.abs(((inkOf(colourOfHue(wanted)).hue - wanted + 540) % 360) - 180);
        if (distance > 2) throw new Error(`${hue}: ${wanted}`);
    }
});

Deno.test("keys of browsers are written without padding", () => {
    const text = "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs";
    assertSame(textOf(bytesOf(text).buffer), text);
});

Deno.test("paths lead to screens, names before parameters", () => {
    assertSame(match("/devices/link")?.route.path, "/devices/link");
    assertSame(match("/devices/pond-1")?.params, { device: "pond-1" });
    assertSame(match("/settings/pond-1/ph")?.params, { device: "pond-1", parameter: "ph" });
    assertSame(match("/devices/")?.route.path, undefined);
    assertSame(match("/devices/%zz")?.route.path, undefined);
});

Deno.test("a screen's place is an object alone, as it is packed", async () => {
    const root = new URL("../../Services/Gateway/Web/screens/", import.meta.url);
    const paths = [...(await Deno.readTextFile(new URL("index.js", root))).matchAll(/from "\.\/([^"]+)"/g)].map(([, path]) => path);
    assertSame(paths.length, Object.keys(screens).length);
    for (const path of paths) {
        const code = (await Deno.readTextFile(new URL(path, root))).replace(/^\/\*\*[^]*?\*\/\n/, "");
        if (!/^export default \{\n(?!\};\n)(?:.*\n)*?\};\n$/.test(code)) throw new Error(`${path} cannot be packed`);
    }
});

Deno.test("the page loads every style there is, tokens first, but those that come with their screens", async () => {
    const root = new URL("../../Services/Gateway/Web/", import.meta.url);
    const page = await Deno.readTextFile(new URL("index.html", root));
    const linked = [...page.matchAll(/<link rel="stylesheet" href="\/([^"]+)">/g)].map(([, path]) => path);
    /** @type {string[]} */
    const found = [];
    const walk = async (/** @type {string} */ folder) => {
        for await (const entry of Deno.readDir(new URL(folder, root))) {
            if (entry.isDirectory) await walk(`${folder}${entry.name}/`);
            else if (entry.name.endsWith(".css")) found.push(folder + entry.name);
        }
    };
    await walk("./");
    /** A name with a star stands for all styles below its folder. @param {string} name @param {string} path */
    const isNamed = (name, path) => name === path || name.endsWith("/*.css") && path.startsWith(name.slice(0, -"*.css".length));
    const all = found.map((path) => path.replace("./", ""));
    const late = all.filter((path) => path.startsWith("styles/late/"));
    const named = new Set(Object.values(screens).flatMap((/** @type {import("../../Services/Gateway/Web/app/routes.js").Route} */ { styles = [] }) => styles));
    assertSame([...named].map((name) => `styles/late/${name}.css`).sort(), late.sort());
    const times = all.filter((path) => !late.includes(path)).map((path) => [path, linked.filter((name) => isNamed(name, path)).length]);
    assertSame(times.filter(([, count]) => count !== 1), []);
    assertSame(linked.filter((name) => !times.some(([path]) => isNamed(name, String(path)))), []);
    assertSame(linked[0], "styles/tokens.css");
    if (/<script(?![^>]*src=)|style=|<style| on\w+=/.test(page)) throw new Error("something is inline");
});
