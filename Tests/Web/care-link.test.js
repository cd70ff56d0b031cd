/** The page of a reminders' link: each way it can stand, and that nothing is answered before a press. */

import { deepStrictEqual as same, match, ok, strictEqual as equal } from "node:assert/strict";
import { match as routeOf } from "../../Services/Gateway/Web/app/routes.js";
import { mount } from "../../Services/Gateway/Web/screens/care-answer/care-answer.js";
import { actorsOf, isDone, standingOf } from "../../Services/Gateway/Web/screens/care-answer/standing.js";
import { NoAnswer, Problem } from "../../Services/Gateway/Web/words/problem.js";
import { openLink, refuse } from "./link-page.js";

/** @typedef {import("../../Services/Gateway/Web/screens/care-answer/standing.js").ToldItem} ToldItem */

const now = Date.now();
const today = new Date(now).toISOString().slice(0, 10);
const until = `${new Date(now + 86_400_000).toISOString().slice(0, 10)}T18:00:00Z`;

/** @type {ToldItem} */
const open = { tank: "Koi pond", name: "Water change", on: `${today}T18:00`, isOpen: true, what: null, by: null, isYou: false, until: null };
/** @type {ToldItem} */
const ended = { ...open, isOpen: false };
/** @type {ToldItem} */
const done = { ...ended, what: "done", by: "Mika", isYou: true };
/** @type {ToldItem} */
const later = { ...done, what: "later", until };
/** @type {ToldItem} */
const byAna = { ...done, by: "Ana", isYou: false };
/** @type {ToldItem} */
const gone = { ...byAna, by: null };
const reef = { tank: "Reef", name: "Test the water" };

/** @param {...any} items */
const told = (...items) => ({ items, said: "Said so.", language: "en" });

/** @param {(path: string, body: any) => any} answer @param {import("./link-page.js").World} [world] */
const page = (answer, world) => openLink(mount, answer, { address: "/care/answer#aqn_1", ...world });

Deno.test("the page is for anyone, under its path, without tabs", () => {
    const { route } = routeOf("/care/answer") ?? {};
    same([route?.path, route?.who, route?.tab], ["/care/answer", "anyone", null]);
});

Deno.test("opening the link answers nothing, and its secret is not left in the address", async () => {
    const { root, posted, headline, isRed, buttons, links, unmount } = await page(() => told(open));
    same(posted, [["/care-answers/look", { token: "aqn_1" }]]);
    same([location.hash, headline(), isRed(), buttons()], ["", "Water change", false, ["Done", "Tomorrow"]]);
    match(root.told, /Koi pond · due today, 18:00/);
    match(root.told, /You are not signed in here\. This link may answer this one message\. It shows and changes nothing else\./);
    same(links(), [["See all that is due", "/care"]]);
    unmount();
});

Deno.test("whoever is signed in is not told otherwise", async () => {
    const { root, unmount } = await page(() => told(open), { isIn: true });
    ok(!root.told.includes("not signed in"));
    unmount();
});

Deno.test("a day that is not today is named", async () => {
    const { root, unmount } = await page(() => told({ ...open, on: "2026-03-05T08:30" }));
    match(root.told, /Koi pond · due Thursday,? 5 March, 08:30|Koi pond · due Thursday, March 5, 08:30/);
    unmount();
});

Deno.test("a press says done, once, and it is done", async () => {
    const at = await page((path) => told(path === "/care-answers" ? done : open));
    await at.press("Done");
    same(at.posted.slice(1), [["/care-answers", { token: "aqn_1", answer: "done" }]]);
    same([at.headline(), at.isAtHeading(), at.buttons()], ["Done", true, []]);
    match(at.root.told, /done · you/);
    at.unmount();
});

Deno.test("what is put off says until when", async () => {
    const at = await page((path) => told(path === "/care-answers" ? later : open));
    await at.press("Tomorrow");
    same(at.posted.at(-1), ["/care-answers", { token: "aqn_1", answer: "tomorrow" }]);
    same([at.headline(), at.buttons()], ["Put off", []]);
    match(at.root.told, /There is nothing left to answer\./);
    match(at.root.told, /put off until [^|]*18:00 · you/);
    at.unmount();
});

Deno.test("several of one message are listed as text alone, with what became of each", async () => {
    const markup = "<img src=x onerror=alert(1)>";
    const { root, headline, buttons, unmount } = await page(() => told(open, { ...open, ...reef }, { ...byAna, name: markup }));
    same([headline(), buttons()], ["2 to do", ["Done", "Tomorrow"]]);
    match(root.told, /Your answer is for all that is not done yet\./);
    match(root.told, /Reef · due today/);
    match(root.told, /done · Ana/);
    ok(root.told.includes(markup));
    same(root.querySelectorAll("img"), []);
    unmount();
});

Deno.test("what somebody else did has nothing to press, and says by whom", async () => {
    const { root, headline, buttons, unmount } = await page(() => told(byAna));
    same([headline(), buttons()], ["Done by Ana", []]);
    match(root.told, /done · Ana/);
    ok(!root.told.includes("faster"));
    unmount();
    const left = await page(() => told(gone));
    equal(left.headline(), "Done by somebody");
    left.unmount();
});

Deno.test("whoever presses after somebody else is told that they were faster", async () => {
    const at = await page((path) => told(path === "/care-answers" ? byAna : open));
    await at.press("Done");
    same([at.headline(), at.buttons()], ["Done by Ana", []]);
    match(at.root.told, /Ana was faster\./);
    at.unmount();
});

Deno.test("a press for what somebody else left is one's own", async () => {
    const at = await page((path) => told(byAna, path === "/care-answers" ? { ...done, ...reef } : { ...open, ...reef }));
    await at.press("Done");
    same([at.headline(), at.root.told.includes("faster")], ["Done", false]);
    at.unmount();
});

Deno.test("what was left out is not said to be done", async () => {
    const mine = await page(() => told({ ...done, what: "skipped" }));
    equal(mine.headline(), "It is over");
    match(mine.root.told, /skipped · you/);
    mine.unmount();
    const others = await page(() => told({ ...byAna, what: "skipped" }));
    equal(others.headline(), "It is over");
    match(others.root.told, /skipped · Ana/);
    others.unmount();
});

Deno.test("a reminder that has ended has nothing to press", async () => {
    const { headline, root, buttons, unmount } = await page(() => told(ended));
    same([headline(), buttons()], ["It is over", []]);
    match(root.told, /There is nothing left to answer\./);
    unmount();
});

for (const [what, status, code, headline] of /** @type {const} */ ([
    ["too old", 410, "link-expired", "This link has ended"],
    ["not known", 404, "not-found", "No such link"],
])) {
    Deno.test(`a link that is ${what} says so, at once or at a press, and leads to what is due`, async () => {
        const refusal = refuse(new Problem(status, { code, title: "Refused" }, null));
        const at = await page(refusal);
        same([at.headline(), at.buttons(), at.links()], [headline, [], [["See all that is due", "/care"]]]);
        at.unmount();
        const pressed = await page((path) => path === "/care-answers" ? refusal() : told(open));
        await pressed.press("Done");
        same([pressed.headline(), pressed.buttons()], [headline, []]);
        pressed.unmount();
    });
}

for (const isOffline of [false, true]) {
    Deno.test(`${isOffline ? "without a connection" : "where nothing answers"} it is said, and what stood there stays and can be pressed again`, async () => {
        let isThere = false;
        const at = await page((path) => isThere ? told(path === "/care-answers" ? done : open) : refuse(new NoAnswer(isOffline))());
        same([at.headline(), at.buttons()], ["No answer", ["Try again"]]);
        match(at.root.told, isOffline ? /explained: offline/ : /explained: no answer/);
        isThere = true;
        await at.press("Try again");
        equal(at.headline(), "Water change");
        isThere = false;
        await at.press("Done");
        same([at.headline(), at.buttons()], ["Water change", ["Try again", "Done", "Tomorrow"]]);
        isThere = true;
        await at.press("Done");
        same([at.headline(), at.buttons()], ["Done", []]);
        at.unmount();
    });
}

Deno.test("a link without its end cannot be pressed", async () => {
    const { root, posted, buttons, unmount } = await page(() => told(open), { address: "/care/answer-cut" });
    same([posted, buttons()], [[], []]);
    match(root.told, /The link is incomplete\./);
    unmount();
});

Deno.test("the page speaks the language of whoever the link was sent to, whatever the browser speaks", async () => {
    for (const [language, names] of /** @type {const} */ ([["de", ["Erledigt", "Morgen"]], ["es", ["Hecho", "Mañana"]], ["ja", ["完了", "明日にする"]], ["xx", ["Done", "Tomorrow"]]])) {
        const { root, buttons, unmount } = await page(() => ({ ...told(open), language }));
        same(buttons(), [...names]);
        equal(root.children[0].getAttribute("lang"), language === "xx" ? "en" : language);
        unmount();
    }
});

Deno.test("several stand as the one that matters most", () => {
    same(standingOf([open, byAna, later]), "ask");
    same(standingOf([ended, ended]), "over");
    for (const other of [ended, done, byAna]) same(standingOf([later, other]), "later");
    same(standingOf([{ ...later, isYou: false }]), "later");
    same(standingOf([done, byAna, ended]), "yours");
    same(standingOf([byAna, ended]), "others");
    same(actorsOf([byAna, byAna, gone, ended]), ["Ana", null]);
    same([isDone([done, byAna]), isDone([done, later]), isDone([done, ended])], [true, false, false]);
});
