import { deepStrictEqual as same, ok, strictEqual as equal } from "node:assert/strict";
import { inkOf, inkOfHue, oklch } from "../../Services/Gateway/Web/drawing/ink.js";

Deno.test("the starting colours have the hues of the design", () => {
    equal(inkOf("red").hue, 18);
    equal(inkOf("#6bcae2").hue, 220);
    equal(inkOf("purple").hue, 305);
    ok(inkOf("gray").strength < 0.2);
});

Deno.test("no hue looks like an alarm", () => {
    for (let hue = 0; hue < 360; hue++) {
        const ink = inkOfHue(hue);
        ok(Math.abs(ink.hue - 31) > 20 || (ink.hue === 18 && ink.strength === 0.8), `${hue}`);
    }
    same(inkOfHue(30), { hue: 18, strength: 0.8 });
    same(inkOfHue(-20), { hue: 340, strength: 1 });
    equal(inkOf("#ff0000").hue, 18);
});

Deno.test("of any other colour the hue counts, and a grey stays grey", () => {
    ok(Math.abs(oklch(0, 0, 1).hue - 264) < 1);
    ok(Math.abs(inkOf("#0000ff").hue - 264) < 1);
    ok(inkOf("#808080").strength < 0.2);
    ok(inkOf("nonsense").strength < 0.2);
});
