import { deepStrictEqual as same } from "node:assert/strict";
import { longest, nameOf, names, namesIn } from "../../Services/Gateway/Web/water/wqx.js";

Deno.test("names of WQX are asked for without what is empty", () => {
    same(names, ["organization", "study"]);
    same(namesIn({ organization: " WATERBOARD ", study: "LAKES-2026" }), { organization: "WATERBOARD", study: "LAKES-2026" });
    same(namesIn({ organization: "", study: "  " }), {});
});

Deno.test("names of WQX are as long as the service takes them", async () => {
    const routes = await Deno.readTextFile(new URL("../../Services/Gateway/Library/Field/FieldTableRoutes.swift", import.meta.url));
    for (const name of names) {
        const [, most] = routes.match(new RegExp(`"${name}", Format<String>\\.visibleText\\(1\\.\\.\\.(\\d+)`)) ?? [];
        same(longest[name], Number(most), name);
    }
});

Deno.test("incomplete lines are about a name where an element is made of it", () => {
    same(nameOf([{ element: "Activity Latitude" }, { element: "Project ID" }]), "study");
    same(nameOf([{ element: "Result Analytical Method ID" }]), "organization");
    same([nameOf([{ element: "Activity Latitude" }]), nameOf([])], [null, null]);
});
