import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { merged, moved, placeAt } from "../../Services/Gateway/Web/drawing/order.js";

Deno.test("a card moves, the others close up, nothing is lost", () => {
    same(moved(["a", "b", "c", "d"], 0, 2), ["b", "c", "a", "d"]);
    same(moved(["a", "b", "c", "d"], 3, 0), ["d", "a", "b", "c"]);
    same(moved(["a", "b"], 0, 9), ["b", "a"]);
    same(moved(["a", "b"], 1, -3), ["b", "a"]);
    same(moved(["a", "b"], 5, 0), ["a", "b"]);
});

Deno.test("the list that was given stays as it is", () => {
    const list = Object.freeze(["a", "b"]);
    same(moved(list, 0, 1), ["b", "a"]);
});

Deno.test("what is not shown keeps its places", () => {
    same(merged(["a", "x", "b", "y", "c"], ["c", "a", "b"]), ["c", "x", "a", "y", "b"]);
    same(merged(["a", "b"], ["b", "a"]), ["b", "a"]);
    same(merged(["a", "b"], ["b", "stranger", "a"]), ["b", "a"]);
});

Deno.test("a card is dropped where its middle is nearest, also in two columns", () => {
    const places = [{ x: 100, y: 50 }, { x: 300, y: 50 }, { x: 100, y: 160 }];
    equal(placeAt({ x: 120, y: 60 }, places), 0);
    equal(placeAt({ x: 290, y: 90 }, places), 1);
    equal(placeAt({ x: 90, y: 120 }, places), 2);
});
