import { deepStrictEqual as same } from "node:assert/strict";
import { secretOf, tables } from "../../Services/Gateway/Web/water/receivers.js";

Deno.test("a link of a project is read as it is pasted, and nothing else is", () => {
    const secret = `aqj_${"0a".repeat(24)}`;
    for (const text of [secret, `  ${secret}\n`, `https://water.example/join#${secret}`, `Our link: https://water.example/join#${secret} `]) {
        same(secretOf(text), secret, text);
    }
    for (const text of ["", "https://water.example/join", "aqi_000", `https://water.example/join?${secret}`, `${secret} and more`]) {
        same(secretOf(text), null, text);
    }
});

Deno.test("each table of samples is offered", () => {
    same(tables, ["surveys", "samples", "values", "tracks", "wqx"]);
});
