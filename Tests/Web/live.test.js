/** Events come out of a stream however its text is cut. */

import { createParser } from "../../Services/Gateway/Web/app/live.js";

const text = ': hello\n\nevent: reading\nid: 12\ndata: {"device":"a",\ndata: "values":{"ph":7}}\n\nevent: ready\r\nid: 13\r\ndata: {}\r\n\r\n' +
    "event: broken\ndata: {\n\nid: 14\ndata: {}\n\n";

/** @param {number} size */
function parsed(size) {
    /** @type {import("../../Services/Gateway/Web/app/live.js").LiveEvent[]} */
    const events = [];
    const parser = createParser((event) => events.push(event));
    for (let at = 0; at < text.length; at += size) parser.push(text.slice(at, at + size));
    return events;
}

for (const size of [1, 2, 3, 7, text.length]) {
    Deno.test(`in pieces of ${size}`, () => {
        const found = JSON.stringify(parsed(size));
        const wanted = JSON.stringify([
            { name: "reading", id: "12", data: { device: "a", values: { ph: 7 } } },
            { name: "ready", id: "13", data: {} },
            { name: "message", id: "14", data: {} },
        ]);
        if (found !== wanted) throw new Error(found);
    });
}
