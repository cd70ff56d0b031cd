/** The order of the outbox, the effect of a new deed, and the meaning of an answer. */

import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { afterAnswer, effectOf, judged, nextRow, withDependents } from "../../Services/Gateway/Web/app/outbox-order.js";
import { NoAnswer, Problem, SignedOut } from "../../Services/Gateway/Web/words/problem.js";

/** @param {string} id @returns {any} */
const put = (id) => ({ id, method: "PUT", path: `/things/${id}`, body: { id }, subject: id });

/** @param {number} seq @param {any} [more] @returns {any} */
const row = (seq, more = {}) => ({ ...put(`${seq}`), seq, account: "x", at: 0, isTried: false, refusal: null, ...more });

Deno.test("the next row is the first that nothing has to go before", () => {
    const [entry, photo, other] = [row(1, { id: "e", subject: "e" }), row(2, { id: "p", subject: "p", after: "e" }), row(3)];
    const rows = [entry, photo, other];
    equal(nextRow(rows, new Set()), entry);
    equal(nextRow(rows, new Set([1])), other, "the photo waits for its entry");
    equal(nextRow([{ ...entry, refusal: {} }, photo, other], new Set()), other);
    equal(nextRow([photo, other], new Set()), photo, "the entry was answered");
    equal(nextRow(rows, new Set([1, 3])), null);
    same(withDependents([entry, photo, row(4, { after: "p" }), other], entry).map(({ seq }) => seq), [1, 2, 4]);
});

Deno.test("a deed changes only what the service has not heard of, or has refused", () => {
    const cases = /** @type {const} */ ([
        ["nothing waits", [], "PUT", [[], null, true]],
        ["a creation, changed", [row(1)], "PUT", [[], 1, true]],
        ["a creation, undone", [row(1)], "DELETE", [[1], null, false]],
        ["a change, undone", [row(1, { ifMatch: '"2"' })], "DELETE", [[1], null, true]],
        ["tried, changed", [row(1, { isTried: true })], "PUT", [[], null, true]],
        ["tried, undone", [row(1, { isTried: true })], "DELETE", [[], null, true]],
        ["a creation on its way, changed, undone", [row(1, { isTried: true }), row(2, { path: "/things/1" })], "DELETE", [[2], null, true]],
        ["refused, changed", [row(1, { isTried: true, refusal: {} })], "PUT", [[], 1, true]],
        ["refused, undone", [row(1, { isTried: true, refusal: {} })], "DELETE", [[1], null, true]],
    ]);
    for (const [what, rows, method, expected] of cases) {
        const { gone, instead, isSent } = effectOf(/** @type {any} */ (rows), /** @type {any} */ ({ ...put("1"), method }));
        same([gone.map(({ seq }) => seq), instead?.seq ?? null, isSent], expected, what);
    }
});

Deno.test("an answer tells the changes of the same thing their version, as far as it is the same thing", () => {
    const own = { path: "/things/a" };
    const rows = [row(1, own), row(2, own), row(3), row(4, { ...own, account: "y" }), row(5, own), row(6, { ...own, method: "DELETE" }), row(7, own)];
    const after = afterAnswer(rows, rows[0], '"v4"');
    same(after.map(({ seq, ifMatch }) => [seq, ifMatch]), [[2, '"v4"'], [3, undefined], [4, undefined], [5, '"v4"'], [6, undefined], [7, undefined]]);
    same(afterAnswer(rows, rows[0], null), rows.slice(1));
    same(afterAnswer(rows, rows[5], '"v4"'), rows.filter((one) => one !== rows[5]), "what was deleted has no version");
    same(afterAnswer(rows, rows[1], '"v4"')[0], rows[0]);
});

Deno.test("a failure is the row's end, or its pause", () => {
    const problem = (/** @type {number} */ status) => new Problem(status, {}, null);
    const of = (/** @type {unknown} */ error, /** @type {any} */ method = "PUT") => judged({ method }, error, 0);
    same([400, 403, 404, 409, 412, 413, 422].map((status) => of(problem(status))), Array(7).fill("refused"));
    same([408, 425, 429, 500, 502, 503].map((status) => of(problem(status))), Array(6).fill("later"));
    same([of(new NoAnswer(false)), of(new SignedOut()), of(problem(401)), of(new TypeError())], ["stop", "stop", "stop", "later"]);
    same([of(problem(404), "DELETE"), of(problem(410), "DELETE"), of(problem(403), "DELETE")], ["done", "done", "refused"]);
});
