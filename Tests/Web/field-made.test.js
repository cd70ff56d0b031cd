/** A protocol that somebody makes, as it is kept on this device: each letter of it and of the sheet of a field, one's own and the project's alone. */

import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { createMakings } from "../../Services/Gateway/Web/app/field/makings.js";
import { isThere, madeIn, typedAt, typing, unfinished } from "../../Services/Gateway/Web/water/field/made.js";
import { blank, blankField, contentOf, makingOf } from "../../Services/Gateway/Web/water/field/making.js";

const depth = { ...blankField(), label: "Depth" };
const colour = { ...blankField(), label: "Colour" };
const pond = { ...blank, name: "Pond", fields: [depth, colour] };
/** @param {any} making */
const made = (making) => ({ of: null, version: 0, making, id: null });

/** A disk that keeps rows as the browser's does, and dies before the write that is told. */
function createDisk() {
    /** @type {Map<string, any>} */
    const rows = new Map();
    const disk = {
        rows,
        asked: 0,
        isFull: false,
        /** So many writes are done before the app dies. */
        left: Infinity,
        get: (/** @type {string} */ id) => Promise.resolve(structuredClone(rows.get(id))),
        put: (/** @type {any} */ row) => disk.write(() => rows.set(row.id, structuredClone(row))),
        remove: (/** @type {string} */ id) => disk.write(() => rows.delete(id)),
        clear: (/** @type {string} */ account) => disk.write(() => [...rows.values()].forEach((row) => row.account === account && rows.delete(row.id))),
        async write(/** @type {() => unknown} */ run) {
            disk.asked += 1;
            await Promise.resolve();
            if (disk.left <= 0) await new Promise(() => {});
            disk.left -= 1;
            if (disk.isFull) throw new DOMException("no room", "QuotaExceededError");
            run();
        },
    };
    return disk;
}

Deno.test("what is typed into the sheet of a field is kept beside the field until it is taken over or discarded", () => {
    const typed = { ...depth, unit: "m" };
    const begun = typing(pond, 0, typed);
    same([typedAt(begun, 0), typedAt(begun, 1), unfinished(begun)], [typed, null, 0]);
    same(contentOf(begun), contentOf(pond), "it is not part of the protocol yet");
    same(typing(begun, 0, null), pond, "discarded");
    same(typing(begun, 0, depth), pond, "typed back to what it was");
    same(typedAt({ ...begun, fields: [...begun.fields].reverse() }, 1), typed, "it goes with its field");
    const both = typing(begun, 2, { ...blankField(), label: "Smell" });
    same([typedAt(both, 2)?.label, typedAt(both, 0), unfinished(both)], ["Smell", typed, 0]);
    same([typing(both, 2, null), unfinished(typing(both, 0, null))], [begun, 2]);
    same(typing(both, 0, { ...typed, help: "x" }).fresh, both.fresh, "one sheet leaves what another has");
    same(typing(pond, 2, blankField()), pond, "nothing was typed");
    same(typing(typing(pond, 0, typed), 0, { ...typed, unit: "cm" }).fields[0].typed, { ...typed, unit: "cm" }, "no draft of a draft");
});

Deno.test("what the service has is offered no more, and what this version cannot read is left alone", () => {
    const protocol = { id: "pond", version: 2, builtIn: false, ...contentOf(pond) };
    const making = makingOf(/** @type {any} */ (protocol));
    equal(isThere(making, /** @type {any} */ (protocol)), true);
    equal(isThere({ ...making, name: "Lake" }, /** @type {any} */ (protocol)), false);
    equal(isThere(typing(making, 0, { ...making.fields[0], unit: "m" }), /** @type {any} */ (protocol)), false, "a sheet has more");
    same(madeIn(made(pond), null), made(pond));
    same([madeIn(made(pond), "lake"), madeIn(null, null), madeIn(undefined, null), madeIn({ of: null, version: 1, making: { name: "x" } }, null)], [null, null, null, null]);
});

Deno.test("wherever the app dies, the letters before that are there", async () => {
    const letters = [..."Pond by the mill"];
    for (let cut = 1; cut <= letters.length; cut += 1) {
        const disk = createDisk();
        disk.left = cut;
        const kept = createMakings({ disk: /** @type {any} */ (disk), owner: () => "mika" }).of(null, "new");
        for (let length = 1; length <= cut; length += 1) await kept.keep(made({ ...blank, name: letters.slice(0, length).join("") }));
        void kept.keep(made({ ...blank, name: "never written" }));
        await new Promise((resolve) => setTimeout(resolve));
        const anew = createMakings({ disk: /** @type {any} */ (disk), owner: () => "mika" }).of(null, "new");
        equal(/** @type {any} */ (await anew.read()).making.name, letters.slice(0, cut).join(""));
        equal(kept.keeping.value, "keeping", "nobody was told that it is kept");
    }
});

Deno.test("however fast somebody types, each letter is on its way at once and the newest stays, and a full disk is told until there is room", async () => {
    const disk = createDisk();
    const kept = createMakings({ disk: /** @type {any} */ (disk), owner: () => "mika" }).of(null, "new");
    equal(kept.keeping.value, null);
    const all = [..."abcdefgh"].map((name) => kept.keep(made({ ...blank, name })));
    same([disk.asked, kept.keeping.value], [8, "keeping"]);
    await Promise.all(all);
    same([/** @type {any} */ (await kept.read()).making.name, kept.keeping.value], ["h", "kept"]);
    disk.isFull = true;
    await kept.keep(made({ ...blank, name: "i" }));
    equal(kept.keeping.value, "unkept");
    disk.isFull = false;
    await kept.keep(made({ ...blank, name: "j" }));
    same([/** @type {any} */ (await kept.read()).making.name, kept.keeping.value], ["j", "kept"]);
    await kept.keep(null);
    same([disk.rows.size, kept.keeping.value], [0, null]);
});

Deno.test("one is a person's and a project's alone, and goes when the person signs out", async () => {
    const disk = createDisk();
    /** @type {string | null} */
    let owner = "mika";
    const makings = createMakings({ disk: /** @type {any} */ (disk), owner: () => owner });
    await makings.of(null, "new").keep(made({ ...blank, name: "Mine" }));
    await makings.of("lake", "new").keep(made({ ...blank, name: "The lake's" }));
    owner = "ana";
    equal(await makings.of(null, "new").read(), null);
    await makings.of("lake", "new").keep(made({ ...blank, name: "Ana's" }));
    owner = "mika";
    same(await Promise.all([null, "lake", "mill"].map(async (project) => /** @type {any} */ (await makings.of(project, "new").read())?.making.name)), ["Mine", "The lake's", undefined]);
    await makings.clear("mika");
    await makings.clear(null);
    same([...disk.rows.values()].map(({ made }) => made.making.name), ["Ana's"]);
    owner = null;
    await makings.of(null, "new").keep(made(blank));
    same([disk.rows.size, await makings.of(null, "new").read()], [1, null], "nobody keeps nothing");
});
