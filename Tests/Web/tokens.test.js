import { ok, strictEqual as equal } from "node:assert/strict";

const css = await Deno.readTextFile(new URL("../../Services/Gateway/Web/styles/tokens.css", import.meta.url));

const pair = /--([\w-]+): var\(--light, (.+)\) var\(--dark, (.+)\);/g;
const both = [...css.matchAll(/^ {8}--([\w-]+): (#[0-9a-f]{6});/gm)].map(([, name, colour]) => [name, colour, colour]);
const pairs = [...css.matchAll(pair)].map(([, ...parts]) => parts).concat(both);
const light = new Map(pairs.map(([name, colour]) => [name, colour]));
const dark = new Map(pairs.map(([name, , colour]) => [name, colour]));

/** @param {string} colour */
function luminance(colour) {
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
        .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * @param {Map<string, string>} scheme
 * @param {string} one
 * @param {string} other
 */
function contrast(scheme, one, other) {
    const [a, b] = [one, other].map((name) => luminance(scheme.get(name) ?? ""));
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

Deno.test("dark is said once: the styles know it by two switches, which stand in one place each way", async () => {
    ok(pairs.length > 20, `${pairs.length}`);
    equal(light.size, pairs.length);
    const plain = css.replace(/\/\*[\s\S]*?\*\//g, "");
    // What a person chose, and what their system says.
    equal([...plain.matchAll(/\{[^{}]*--light: ;\s+--dark: initial;/g)].length, 2);
    equal([...plain.matchAll(/\{[^{}]*--light: initial;\s+--dark: ;/g)].length, 1);
    const coloured = [...plain.matchAll(/--([\w-]+): [^;]*#[0-9a-f]{3,8}\b/g)].map(([, name]) => name);
    equal(coloured.length, new Set(coloured).size);
    equal(coloured.every((name) => dark.has(name)), true);
    /** @type {string[]} */
    const others = [];
    const walk = async (/** @type {URL} */ folder) => {
        for await (const entry of Deno.readDir(folder)) {
            if (entry.isDirectory) await walk(new URL(`${entry.name}/`, folder));
            else if (entry.name.endsWith(".css") && entry.name !== "tokens.css") {
                if (/data-scheme|prefers-color-scheme|light-dark/.test(await Deno.readTextFile(new URL(entry.name, folder)))) others.push(entry.name);
            }
        }
    };
    await walk(new URL("../../Services/Gateway/Web/", import.meta.url));
    equal(others.join(), "");
});

Deno.test("text is told apart from every ground by 4.5 to 1, lines and shapes by 3 to 1", () => {
    for (const scheme of [light, dark]) {
        for (const ground of ["air", "under", "water", "deep", "surface"]) {
            for (const text of ["text", "text-2", "accent"]) ok(contrast(scheme, text, ground) >= 4.5, `${text} on ${ground}`);
            for (const text of ["alarm", "fault"]) ok(contrast(scheme, text, ground) >= 4.5, `${text} on ${ground}`);
        }
        for (const ground of ["surface", "air", "water", "deep"]) ok(contrast(scheme, "edge", ground) >= 3, `edge on ${ground}`);
        for (const ground of ["alarm-air", "alarm-air-low"]) ok(contrast(scheme, "on-alarm", ground) >= 4.5, ground);
        ok(contrast(scheme, "on-red", "on-red-ground") >= 4.5);
        ok(contrast(scheme, "on-accent", "accent") >= 4.5);
        ok(contrast(scheme, "text", "sunk") >= 4.5);
    }
});
