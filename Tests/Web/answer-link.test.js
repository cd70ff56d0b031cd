/** The page of an alert's link: each way it can stand, and that nothing is answered before a press. */

import { deepStrictEqual as same, match, ok, strictEqual as equal } from "node:assert/strict";
import { match as routeOf } from "../../Services/Gateway/Web/app/routes.js";
import { mount } from "../../Services/Gateway/Web/screens/answer/answer.js";
import { linkStateOf } from "../../Services/Gateway/Web/water/answers.js";
import { NoAnswer, Problem } from "../../Services/Gateway/Web/words/problem.js";
import { openLink, refuse } from "./link-page.js";

const now = Date.now();
const hour = 3_600_000;
const text = (/** @type {number} */ time) => new Date(time).toISOString();

/** @param {any} [more] */
const told = (more = {}) => ({
    ...{ title: "Oxygen is low", text: "6.7 ppm, falling. Your minimum is 7.0.", device: "Koi pond", isOver: false, you: "Mika" },
    ...{ sentAt: text(now - 60_000), until: text(now + 4 * hour), onIt: null, snoozedUntil: null, others: ["Ana", "Kenji"], said: "Said so.", language: "en" },
    ...more,
});
const onIt = (/** @type {any} */ more) => ({ name: "Mika", isYou: true, since: text(now), until: text(now + hour), solvedAt: null, ...more });

/** @param {(path: string, body: any) => any} answer @param {import("./link-page.js").World} [world] */
const open = (answer, world) => openLink(mount, answer, { address: "/answer#aqa_1", ...world });

Deno.test("the page is for anyone, under its path, without tabs", () => {
    const { route } = routeOf("/answer") ?? {};
    same([route?.path, route?.who, route?.tab], ["/answer", "anyone", null]);
});

Deno.test("opening the link answers nothing, and its secret is not left in the address", async () => {
    const { root, posted, headline, isRed, buttons, links, unmount } = await open(() => told());
    same(posted, [["/answers/look", { token: "aqa_1" }]]);
    same([location.hash, headline(), isRed(), buttons()], ["", "Oxygen is low", true, ["I'm on it", "Snooze 1 h"]]);
    match(root.told, /Koi pond/);
    match(root.told, /6\.7 ppm, falling/);
    match(root.told, /You are not signed in here\. This link, sent to Mika at \d\d:\d\d, may answer this one alert until \d\d:\d\d\. It shows and changes nothing else\./);
    same(links(), [["Sign in to see the graph", "/alerts"]]);
    unmount();
});

Deno.test("whoever is signed in is not told otherwise", async () => {
    const { root, links, unmount } = await open(() => told(), { isIn: true });
    ok(!root.told.includes("not signed in"));
    same(links(), [["All alerts", "/alerts"]]);
    unmount();
});

Deno.test("a press answers, and what was answered can be ended", async () => {
    /** @type {any} */
    let present = null;
    const page = await open((_, { answer }) => {
        if (answer === "onIt") present = onIt({});
        if (answer === "solved") present = onIt({ solvedAt: text(now) });
        if (answer === "cannot") present = null;
        return told({ onIt: present });
    });
    await page.press("I'm on it");
    same(page.posted.at(-1), ["/answers", { token: "aqa_1", answer: "onIt" }]);
    same([page.headline(), page.isRed(), page.isAtHeading(), page.buttons()], ["You are on it", false, true, ["It is solved", "I can't"]]);
    match(page.root.told, /No reminders until \d\d:\d\d, unless it gets much worse\. Ana and Kenji see: “Mika is on it since \d\d:\d\d”\./);
    // What to do stands there all the same.
    match(page.root.told, /6\.7 ppm, falling/);
    await page.press("It is solved");
    same([page.posted.at(-1)[1].answer, page.buttons()], ["solved", ["I can't"]]);
    match(page.headline(), /^You said it is solved, \d\d:\d\d$/);
    await page.press("I can't");
    same([page.posted.at(-1)[1].answer, page.isRed(), page.buttons()], ["cannot", true, ["I'm on it", "Snooze 1 h"]]);
    page.unmount();
});

Deno.test("nobody is said to see it where nobody shares it", async () => {
    const { root, unmount } = await open(() => told({ onIt: onIt({}), others: [] }));
    match(root.told, /much worse\.\|/);
    unmount();
});

Deno.test("somebody was faster: the air stays red, with who it is, and nothing is left to press", async () => {
    const page = await open((path) => told(path === "/answers" ? { onIt: onIt({ name: "Ana", isYou: false }) } : {}));
    await page.press("I'm on it");
    same([page.headline(), page.isRed(), page.buttons()], ["Oxygen is low", true, []]);
    match(page.root.told, /A\|Ana is on it since \d\d:\d\d/);
    match(page.root.told, /Ana was faster\./);
    match(page.root.told, /This link may answer this one alert until \d\d:\d\d\./);
    page.unmount();
});

const together = ["Koi pond: pH is high", "<img src=x onerror=alert(1)><b>Reef</b>: nitrate is high"];
const sentence = "Your answer is for these as well:";
const titles = (/** @type {any} */ root) => root.querySelectorAll("li").map((/** @type {any} */ item) => item.textContent).slice(0, -1);

Deno.test("what the same message told is listed, as text alone, while it can be answered and once it is", async () => {
    /** @type {any} */
    let more = { together };
    const page = await open((_, { answer }) => {
        if (answer === "snooze") more = { together, snoozedUntil: text(now + hour) };
        if (answer === "onIt") more = { together, onIt: onIt({}) };
        return told(more);
    });
    const isListed = () => {
        same(titles(page.root), together);
        ok(page.root.told.includes(sentence));
        same([page.root.querySelectorAll("img"), page.root.querySelectorAll("b")], [[], []]);
        const [list] = page.root.having("aria-labelledby", "answer-together");
        same([list.localName, page.root.having("id", "answer-together")[0].textContent, list.hasAttribute("tabindex")], ["ul", sentence, false]);
    };
    isListed();
    match(page.root.told, /may answer the alerts of the same message until \d\d:\d\d\. It shows/);
    for (const name of ["Snooze 1 h", "I'm on it"]) {
        await page.press(name);
        isListed();
        match(page.root.told, /This link may answer the alerts of the same message until \d\d:\d\d\./);
    }
    page.unmount();
});

Deno.test("a long list scrolls, by the keyboard too", async () => {
    for (const [count, tabindex] of /** @type {const} */ ([[5, null], [6, "0"]])) {
        const { root, unmount } = await open(() => told({ together: Array.from({ length: count }, (_, index) => `Tank ${index}`) }));
        const [list] = root.having("aria-labelledby", "answer-together");
        same([list.getAttribute("tabindex"), list.hasAttribute("data-long"), titles(root).length], [tabindex, tabindex !== null, count]);
        unmount();
    }
});

Deno.test("nothing is listed of a single alert, by an older service, or where there is nothing to answer", async () => {
    for (const more of [{}, { together: [] }, { together: [], onIt: onIt({}) }, { onIt: onIt({}) }, { together, isOver: true }, { together, onIt: onIt({ isYou: false }) }]) {
        const { root, unmount } = await open(() => told(more));
        same([titles(root), root.having("class", "answer-together"), root.told.includes(sentence)], [[], [], false]);
        unmount();
    }
});

Deno.test("what is snoozed can still be taken on, and what is over has nothing to press", async () => {
    const snoozed = await open((path) => told(path === "/answers" ? { snoozedUntil: text(now + hour) } : {}));
    await snoozed.press("Snooze 1 h");
    same(snoozed.posted.at(-1), ["/answers", { token: "aqa_1", answer: "snooze" }]);
    same([snoozed.isRed(), snoozed.buttons()], [false, ["I'm on it"]]);
    match(snoozed.headline(), /^Snoozed until \d\d:\d\d$/);
    snoozed.unmount();
    const over = await open(() => told({ isOver: true }));
    same([over.headline(), over.isRed(), over.buttons()], ["It is over", false, []]);
    match(over.root.told, /There is nothing left to answer\./);
    over.unmount();
});

for (const [what, status, code, headline] of /** @type {const} */ ([
    ["too old", 410, "link-expired", "This link has ended"],
    ["not known", 404, "not-found", "No such link"],
])) {
    Deno.test(`a link that is ${what} says so, at once or at a press, and leads to the alerts`, async () => {
        const refusal = refuse(new Problem(status, { code, title: "Refused" }, null));
        const at = await open(refusal);
        same([at.headline(), at.buttons(), at.links()], [headline, [], [["All alerts", "/alerts"]]]);
        at.unmount();
        const later = await open((path) => path === "/answers" ? refusal() : told());
        await later.press("I'm on it");
        same([later.headline(), later.isRed(), later.buttons()], [headline, false, []]);
        later.unmount();
    });
}

Deno.test("where nothing answers it is said, what stood there stays, and it can be tried again", async () => {
    let isThere = false;
    const silent = refuse(new NoAnswer(false));
    const first = await open(() => isThere ? told() : silent());
    same([first.headline(), first.buttons()], ["No answer", ["Try again"]]);
    match(first.root.told, /explained: no answer/);
    isThere = true;
    await first.press("Try again");
    same([first.headline(), first.buttons(), first.posted.length], ["Oxygen is low", ["I'm on it", "Snooze 1 h"], 2]);
    isThere = false;
    await first.press("I'm on it");
    same([first.headline(), first.isRed(), first.buttons()], ["Oxygen is low", true, ["Try again", "I'm on it", "Snooze 1 h"]]);
    first.unmount();
});

Deno.test("a link without its end cannot be pressed", async () => {
    const { root, posted, buttons, unmount } = await open(() => told(), { address: "/answer-cut" });
    same([posted, buttons()], [[], []]);
    match(root.told, /The link is incomplete\./);
    unmount();
});

Deno.test("the page speaks the language of whoever the link was sent to, whatever the browser speaks", async () => {
    for (const [language, button] of /** @type {const} */ ([["de", "Ich kümmere mich"], ["es", "Me ocupo"], ["ja", "対応します"], ["en", "I'm on it"], ["xx", "I'm on it"]])) {
        const { root, buttons, unmount } = await open(() => told({ language }));
        equal(buttons()[0], button);
        equal(root.children[0].getAttribute("lang"), language === "xx" ? "en" : language);
        unmount();
    }
});

Deno.test("a link shows one state, whatever else holds", () => {
    const none = { isOver: false, onIt: null, snoozedUntil: null };
    const later = text(now + hour);
    same(linkStateOf(none, now), "ask");
    same(linkStateOf({ ...none, snoozedUntil: later }, now), "snoozed");
    same(linkStateOf({ ...none, snoozedUntil: text(now) }, now), "ask");
    same(linkStateOf({ ...none, onIt: { isYou: true }, snoozedUntil: later }, now), "yours");
    same(linkStateOf({ ...none, onIt: { isYou: false }, snoozedUntil: later }, now), "others");
    same(linkStateOf({ isOver: true, onIt: { isYou: true }, snoozedUntil: later }, now), "over");
});
