/** Projects: what each role may make of a member and of words, what is asked for as a project, and limits for many tanks. */

import { deepStrictEqual as same, rejects, strictEqual as equal } from "node:assert/strict";
import { isForProject } from "../../Services/Gateway/Web/app/acting.js";
import { createAPI } from "../../Services/Gateway/Web/app/api.js";
import { createProjects } from "../../Services/Gateway/Web/app/projects.js";
import { signal } from "../../Services/Gateway/Web/page/signals.js";
import { changesOf } from "../../Services/Gateway/Web/water/limits-of-many.js";
import { invitedRoles, isAdministrator, mayAct, mayWrite, powersOver, powersOverWords } from "../../Services/Gateway/Web/water/projects.js";

/** @param {string} id @param {any} role @param {boolean} [isMe] @returns {any} */
const memberOf = (id, role, isMe = false) => ({ id, name: id, role, since: "", until: null, isMe });

Deno.test("an owner makes anybody anything, but for the last owner and themselves", () => {
    const members = [memberOf("me", "owner", true), memberOf("ana", "keeper"), memberOf("olga", "owner")];
    same(powersOver("owner", members[1], members), { roles: ["owner", "administrator", "keeper", "viewer"], mayEnd: true, mayRemove: true });
    same(powersOver("owner", members[2], members), { roles: ["owner", "administrator", "keeper", "viewer"], mayEnd: false, mayRemove: true });
    same(powersOver("owner", members[0], members), { roles: [], mayEnd: false, mayRemove: true });
    same(powersOver("owner", members[0], members.slice(0, 2)), { roles: [], mayEnd: false, mayRemove: false });
});

Deno.test("an administrator looks after keepers and viewers alone", () => {
    const members = [memberOf("me", "administrator", true), memberOf("olga", "owner"), memberOf("ben", "administrator"), memberOf("ana", "viewer")];
    same(members.map((member) => powersOver("administrator", member, members).roles), [[], [], [], ["keeper", "viewer"]]);
    same(invitedRoles("administrator"), ["keeper", "viewer", "sender"]);
    same([..."owner administrator keeper viewer later".split(" ")].map(isAdministrator), [true, true, false, false, false]);
});

Deno.test("keepers and viewers change nobody, and a viewer only looks", () => {
    const members = [memberOf("olga", "owner"), memberOf("me", "keeper", true), memberOf("ana", "viewer")];
    for (const mine of /** @type {const} */ (["keeper", "viewer"])) {
        for (const member of members) same(powersOver(mine, member, members).roles, []);
    }
    same([null, {}, { project: null }, { project: { role: "keeper" } }, { project: { role: "viewer" } }].map(mayAct), [true, true, true, true, false]);
});

Deno.test("something is offered to be written down where a tank is not only looked at, or none is there yet", () => {
    const tanks = [{ id: "koi" }, { id: "lake", isLookedAt: true }];
    same([mayWrite([]), mayWrite(tanks), mayWrite(tanks, "koi"), mayWrite(tanks, "lake"), mayWrite(tanks.slice(1))], [true, true, true, false, false]);
});

Deno.test("words are their writer's and the owner's, whoever acts as a project changes their own alone, and a viewer nothing", () => {
    const [owner, keeper, viewer] = [{ role: "owner" }, { role: "watcher", project: { role: "keeper" } }, { role: "watcher", project: { role: "viewer" } }];
    const both = { mayChange: true, mayRemove: true };
    const none = { mayChange: false, mayRemove: false };
    same([powersOverWords(owner, false, false), powersOverWords(owner, true, true)], [both, both]);
    same(powersOverWords(owner, false, true), { mayChange: false, mayRemove: true });
    same([powersOverWords(keeper, true, false), powersOverWords(keeper, false, false)], [both, none]);
    same([powersOverWords(viewer, true, false), powersOverWords(null, false, false)], [none, none]);
});

Deno.test("what is about tanks is asked for as the project, and what is about people never is", () => {
    const served = `GET /devices, GET /devices/koi, GET /devices/koi/parameters/ph/series, GET /devices/koi/readings.csv, GET /parameters, GET /readings/latest,
        GET /journal, GET /devices/koi/journal/7/photos/8, GET /devices/koi/tests/latest, POST /devices, POST /devices/koi/parameters/preset,
        POST /devices/koi/work/7/finish, PUT /devices/koi/parameters/order, PATCH /devices/koi, PATCH /devices/koi/parameters/ph, DELETE /devices/koi,
        DELETE /devices/koi/journal/7, DELETE /devices/koi/parameters/ph/calibrations/7, GET /devices/koi/life, GET /device-lives, GET /audit, GET /audit.csv,
        GET /devices/koi/report, POST /devices/koi/deletions, POST /devices/koi/approvals, POST /devices/koi/approvals/7/withdraw,
        GET /devices/koi/public, PUT /devices/koi/public, DELETE /devices/koi/public`;
    const refused = `GET /account, GET /settings, POST /sessions/renewal, GET /endpoints, GET /projects/7/members, POST /invitations/accept, GET /live, GET /alerts,
        GET /snoozes, GET /answers, GET /care, POST /devices/koi/answer, PUT /devices/koi/work/7, PUT /devices/koi/journal/7, PUT /devices/koi/tests/7,
        GET /devices/koi/chain, GET /devices/koi/inventory, PUT /devices/koi/parameters/ph/following, PUT /devices/koi/parameters/ph/calibrations/7,
        PUT /devices/koi/reminders/7, POST /projects, DELETE /projects/7, GET /tokens, GET /devicesx, GET /auditor,
        POST /devices/koi/approvals/7, HEAD /devices, GET /public/aqv_x, PUT /projects/7/public`;
    for (const [text, is] of /** @type {const} */ ([[served, true], [refused, false]])) {
        for (const request of text.split(",")) {
            const [method, path] = request.trim().split(" ");
            equal(isForProject(method, path), is, request);
        }
    }
});

Deno.test("a request names the project as which it is made, and none where nobody is signed in", async () => {
    /** @type {[string, string | null][]} */
    const sent = [];
    /** @type {string[]} */
    const ended = [];
    /** @type {Response | null} */
    let refusal = null;
    const real = globalThis.fetch;
    Object.defineProperty(globalThis, "location", { value: new URL("https://water.example/"), configurable: true });
    globalThis.fetch = (/** @type {any} */ url, /** @type {any} */ init) => {
        sent.push([new URL(url).pathname, new Headers(init.headers).get("Aqua-Project")]);
        return Promise.resolve(refusal?.clone() ?? Response.json({ accessToken: "a", expiresIn: 3600, session: "s" }));
    };
    try {
        const api = createAPI({
            language: () => "en",
            client: () => "c",
            onAnswer() {},
            onNoAnswer() {},
            onSignedOut() {},
            project: (method, path) => isForProject(method, path) ? "7" : null,
            onPartEnded: (project) => ended.push(project),
        });
        await api.get("/devices");
        await api.get("/account");
        await api.post("/devices/look", {}, { anonymous: true });
        // What was done before is sent as it was done, whomever the window acts for now.
        await api.delete("/devices/koi/journal/1", { project: "8" });
        await api.delete("/devices/koi/journal/2", { project: null });
        same(ended, []);
        refusal = Response.json({ code: "owner-only" }, { status: 403 });
        await rejects(api.get("/devices/koi"));
        refusal = Response.json({ code: "not-found" }, { status: 404 });
        await rejects(api.get("/devices/koi"));
        await rejects(api.get("/account"));
        same(ended, []);
        await rejects(api.get("/devices"));
        refusal = Response.json({ code: "administrators-only" }, { status: 403 });
        await rejects(api.delete("/devices/koi/journal/1", { project: "8" }));
        same(ended, ["7", "8"]);
    } finally {
        globalThis.fetch = real;
    }
    same(sent.slice(0, 4), [["/api/v1/sessions/renewal", null], ["/api/v1/devices", "7"], ["/api/v1/account", null], ["/api/v1/devices/look", null]]);
    same(sent.slice(4, 6), [["/api/v1/devices/koi/journal/1", "8"], ["/api/v1/devices/koi/journal/2", null]]);
});

/** @param {any} api */
function projectsWith(api) {
    /** @type {Map<string, unknown>} */
    const disk = new Map();
    const store = {
        account: signal(/** @type {any} */ ({ createdAt: "1" })),
        keep: (/** @type {string} */ key, /** @type {unknown} */ value) => Promise.resolve(disk.set(key, value)),
        kept: (/** @type {string} */ key) => Promise.resolve(disk.get(key)),
        keepPage: (/** @type {string} */ key, /** @type {unknown} */ value) => Promise.resolve(void disk.set(key, value)),
    };
    return { store, projects: createProjects({ api, store: /** @type {any} */ (store) }) };
}

Deno.test("projects are shown as they were kept while nobody answers, and never to the next person", async () => {
    let isAway = false;
    const project = { id: "7", name: "Lake Farm", role: "keeper", devices: 1, members: 2 };
    const get = (/** @type {string} */ path) => {
        if (isAway) return Promise.reject(new TypeError("away"));
        return Promise.resolve({ data: path === "/projects" ? [project] : path.endsWith("/members") ? [memberOf("me", "keeper", true)] : project, tag: '"v1"' });
    };
    const { store, projects } = projectsWith({ get });
    await projects.read();
    same(projects.listed.value.told, [project]);
    const { whole } = await projects.whole("7");
    // Whoever may not invite asks for no invitations.
    same([whole.invitations, whole.tag], [[], '"v1"']);
    isAway = true;
    await projects.read();
    same([projects.listed.value.told?.length, projects.listed.value.isOld], [1, true]);
    equal((await projects.whole("7")).isOld, true);
    await rejects(projects.whole("8"), /away/);
    store.account.value = { createdAt: "2" };
    equal(projects.listed.value.told, null);
});

const scale = { unit: "ppm", decimals: 1, factor: 1, offset: 0, table: null };
/** @param {any} [more] @returns {any} */
const parameterOf = (more = {}) => ({ name: "ph", unit: "ppm", minimum: 7, maximum: 9, hasMinimum: true, least: 0, greatest: 20, decimals: 1, scale, ...more });

Deno.test("limits for many: only what differs changes, in its own unit, and nothing crosses", () => {
    const chosen = [
        { device: "same", parameter: parameterOf({ minimum: 7.5 }) },
        { device: "other", parameter: parameterOf() },
        { device: "unit", parameter: parameterOf({ unit: "mg/l" }) },
        { device: "none", parameter: null },
        { device: "crossed", parameter: parameterOf({ maximum: 7.2 }) },
        { device: "critical", parameter: parameterOf({ criticalMinimum: 7.5 }) },
        { device: "upper", parameter: parameterOf({ minimum: null, hasMinimum: false, maximum: 5 }) },
    ];
    const { changes, others, crossed } = changesOf({ minimum: 7.5 }, parameterOf(), chosen);
    same(changes.map(({ device, change }) => [device, change]), [["other", { minimum: 7.5 }]]);
    same([others, crossed], [2, 2]);
    same(changesOf({ maximum: null }, parameterOf(), chosen.slice(1, 2)).changes[0]?.change, { maximum: null });
    same(changesOf({}, parameterOf(), chosen).changes, []);
});
