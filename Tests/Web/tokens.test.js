import { ok, strictEqual as equal } from "node:assert/strict";

const css = await Deno.readTextFile(new URL("../../Services/Gateway/Web/styles/tokens.css", import.meta.url));

/** @param {string} block */
function colours(block) {
    return new Map([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((match) => [match[1], match[2]]));
}

/** @param {string} start */
function blockAfter(start) {
    const at = css.indexOf(start);
    ok(at >= 0, start);
    return css.slice(at, css.indexOf("}", at));
}

const light = colours(blockAfter(":root {"));
const dark = colours(blockAfter('[data-scheme="dark"] {'));

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

Deno.test("the fallbacks and the pairs say the same", () => {
    const pairs = [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)];
    equal(pairs.length, light.size);
    const bySystem = colours(blockAfter(':root:not([data-scheme="light"]) {'));
    for (const [, name, one, other] of pairs) {
        equal(light.get(name), one, name);
        equal(dark.get(name), other, name);
        equal(bySystem.get(name), other, name);
    }
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
