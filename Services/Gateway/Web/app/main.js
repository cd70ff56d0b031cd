/**
 * Puts the app together and shows the screen of the address.
 */

import { ask } from "../components/dialog/dialog.js";
import { closeTopmost, openSheet } from "../components/sheet/sheet.js";
import { createTabs } from "../components/tabs/tabs.js";
import { createToasts } from "../components/toast/toast.js";
import { isLanguage, loadFirstWords } from "../lang/index.js";
import { brand } from "../lang/languages.js";
import { withStyles } from "../page/late.js";
import { effect, signal } from "../page/signals.js";
import { createFormat } from "../words/format.js";
import { NoAnswer, sentenceOf } from "../words/problem.js";
import { act, actingAs, forget as stopActing, isForProject } from "./acting.js";
import { createAPI } from "./api.js";
import { createBegun, first } from "./begun.js";
import { createDisk } from "./disk.js";
import { keepDraft, restoreDraft } from "./drafts.js";
import { createLive } from "./live.js";
import { createPreferences } from "./preferences.js";
import { createRouter, focusHeading } from "./router.js";
import { match } from "./routes.js";
import { createSession } from "./session.js";
import { createStore } from "./store.js";
import { createUpdates } from "./updates.js";

/** @typedef {import("./context.js").Context} Context */
/** @typedef {import("./context.js").Mounted} Mounted */

const root = /** @type {HTMLElement} */ (document.getElementById("main"));
const shell = /** @type {HTMLElement} */ (document.getElementById("shell"));
const skip = /** @type {HTMLElement} */ (document.getElementById("skip"));

const preferences = createPreferences();
preferences.paint();
let words = await loadFirstWords(preferences.language).catch((error) => {
    first().again?.();
    throw error;
});
document.documentElement.lang = words.language;

/** The project that this window acts for. */
const acting = actingAs();
const scope = acting ? `project ${acting.id} ` : "";
const disk = createDisk(scope);
const api = createAPI({
    language: () => words.language,
    client: () => preferences.client,
    onAnswer: () => {
        store.seen();
        if (store.connection.value.state === "noAnswer" || store.connection.value.state === "offline") {
            store.setConnection("connecting");
        }
    },
    onNoAnswer: ({ isOffline }) => store.setConnection(isOffline ? "offline" : "noAnswer"),
    onSignedOut: () => {
        if (session.state.value === "in") {
            // Whoever signs in again goes on where they were.
            if (present?.route.who === "person") wanted = present.path;
            toasts.show({ text: words("common.signedOut") });
        }
        session.ended();
    },
    project: (method, path) => isForProject(method, path) ? actingAs()?.id ?? null : null,
    onPartEnded: (project) => project === actingAs()?.id && void endPart(),
    prove: async () => {
        const spoken = words;
        return (await spoken.along(import("./proof.js"))).askForProof(contextOf(spoken));
    },
    begun: createBegun(first()),
});
/** The registered kinds of alerts: this module travels with the first screen of a person, and strangers have no use for it. */
const kinds = signal(/** @type {import("./alert-list.js").Kinds | null} */ (null));
const store = createStore({ api, disk, kinds });
const live = createLive({
    api,
    onEvent: store.apply,
    onState: (state) => {
        // A stream that has only just broken off is about to begin again.
        if (state === "live") store.setConnection("live");
    },
});
const session = createSession({ api, store, live, preferences, onOut: () => acting && location.reload() });
const toasts = createToasts();
const updates = createUpdates({ toast: toasts.show, words: () => words, leave: () => keepDraft(root) });
const tabs = createTabs();
const router = createRouter(show, closeTopmost);
shell.append(tabs.element);
document.body.append(toasts.element);

/** @type {{mounted: Mounted, path: string, route: import("./routes.js").Route} | null} */
let present = null;
/** Where a stranger wanted to go. */
let wanted = "/";
let turn = 0;
/** How much is to be done today or late. */
let due = 0;
let isAtLeisure = false;
let title = "";
let hasRail = false;
/** Where devices stand beside the tabs. */
const wide = matchMedia("(min-width: 75em)");

/**
 * @param {import("../lang/index.js").Words} spoken Those that have come along with what gets the context.
 * @returns {Context}
 */
function contextOf(spoken = words) {
    const language = spoken.language;
    const zone = store.settings.value?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
    return {
        api,
        store,
        acting,
        live,
        session,
        preferences,
        t: spoken,
        format: createFormat(language, zone, spoken),
        navigate: router.navigate,
        back: (otherwise) => router.back(otherwise),
        toast: toasts.show,
        sheet: (model) => openSheet(model, words("common.close")),
        confirm: (question) => ask(question, words("common.cancel")),
        explain: (error, attempt) => sentenceOf(error, words, attempt),
        title(next) {
            title = next;
            showTitle();
        },
        remount,
        speak,
    };
}

/** Where strangers begin: whoever has never been signed in here is told first what this is. */
function entrance() {
    return preferences.isKnown ? "/sign-in" : "/introduction";
}

/**
 * @param {string} path
 * @returns {{path: string, found: NonNullable<ReturnType<typeof match>>}} The screen that this person gets.
 */
function allowed(path) {
    const found = match(path) ?? match("/");
    if (!found) throw new Error("the home screen has a route");
    const isIn = session.state.value === "in";
    if (isIn && found.route.path === "/" && store.opensAll()) return allowed("/tanks");
    if (found.route.who === "person" && !isIn) {
        wanted = path;
        return allowed(entrance());
    }
    if (found.route.who === "stranger" && isIn) {
        const next = wanted === "/" && hasInvitation() ? "/join" : wanted;
        wanted = "/";
        return allowed(next);
    }
    return { path, found };
}

/** @param {import("./router.js").Shown} shown */
async function show({ path: asked, isBack }) {
    if (updates.isOutdated) return location.reload();
    const mine = turn += 1;
    const { path, found } = allowed(asked);
    if (path !== location.pathname) history.replaceState(history.state, "", path + (path === asked ? location.hash : ""));
    const spoken = words;
    let screen;
    try {
        const { load, styles } = found.route;
        const coming = styles ? withStyles(load(), ...styles) : load();
        screen = await (found.route.isFirst ? coming : spoken.along(coming));
    } catch (error) {
        // A part of the app that was not kept, and nobody to ask for it.
        if (!present) first().again?.();
        toasts.show({ text: sentenceOf(new NoAnswer(!navigator.onLine), words) });
        throw error;
    }
    void loadKinds();
    if (mine !== turn) return;
    // While the screen was on its way, the session may have begun or ended, or another language have come.
    const { who } = found.route;
    const isForOthers = who !== "anyone" && (who === "person") !== (session.state.value === "in");
    if (isForOthers || spoken !== words) return await show({ path, isBack });
    // `first.js` may have shown it, and somebody may be reading or using it.
    const isThere = !present && root.dataset.screen === found.route.path;
    const swap = () => {
        present?.mounted.unmount();
        title = "";
        if (!isThere) root.replaceChildren();
        root.dataset.screen = found.route.path;
        const context = contextOf(spoken);
        present = { mounted: screen.mount(root, context, found.params), path, route: found.route };
        showTabs();
        showTitle();
    };
    document.documentElement.dataset.direction = isBack ? "back" : "forward";
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (present && document.startViewTransition && !calm && !document.hidden) {
        const transition = document.startViewTransition(swap);
        transition.finished.catch(() => {});
        transition.ready.catch(() => {});
        await transition.updateCallbackDone;
    } else swap();
    if (mine === turn && !isThere) focusHeading(root);
}

/** Whether the person followed an invitation's link before signing in. */
function hasInvitation() {
    return sessionStorage.getItem("aqua-join") !== null;
}

/** Shows the same screen again, after the language changed. */
async function remount() {
    await show({ path: location.pathname, isBack: false });
}

function showTabs() {
    const count = store.told.calling.value;
    tabs.update({
        current: present?.route.tab ?? null,
        label: words("tabs.label"),
        names: {
            water: words("tabs.water"),
            alerts: words("tabs.alerts"),
            care: words("tabs.care"),
            devices: words("tabs.devices"),
            settings: words("tabs.settings"),
        },
        open: count,
        openLabel: words("alerts.open", { count }),
        dueLabel: due > 0 ? words("tabs.due", { count: due }) : "",
    });
    shell.dataset.tabs = present?.route.tab ? "shown" : "none";
    skip.textContent = words("common.skip");
}

function showTitle() {
    const count = store.told.calling.value;
    document.title = `${count > 0 ? `(${count}) ` : ""}${title ? `${title} · ` : ""}${brand.name}`;
}

skip.addEventListener("click", (event) => {
    event.preventDefault();
    focusHeading(root);
});

// What the person set holds on this device too: language and colour scheme.
effect([store.settings], () => {
    const settings = store.settings.value;
    if (!settings) return;
    if (preferences.scheme !== settings.colourScheme) preferences.scheme = settings.colourScheme;
    if (isLanguage(settings.language) && settings.language !== words.language) speak(settings.language);
});

/** @param {import("../lang/index.js").Language} language */
async function speak(language) {
    // A screen that needs more brings it along when it is shown again.
    const loaded = await loadFirstWords(language);
    preferences.language = language;
    words = loaded;
    if (present) await remount();
}

/** What the badge of the icon counts. */
let counted = -1;
effect([store.told.calling], () => {
    const count = store.told.calling.value;
    if (count === counted) return;
    counted = count;
    showTabs();
    showTitle();
    const badge = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
    badge?.catch(() => {});
});
setInterval(store.told.beat, 30_000);

effect([session.state], () => {
    if (session.state.value === "out") stopActing();
    if (!present) return;
    const isIn = session.state.value === "in";
    if (present.route.who === "person" && !isIn) router.navigate(entrance(), { replace: true });
    if (present.route.who === "stranger" && isIn) router.navigate(hasInvitation() ? "/join" : wanted, { replace: true });
});

addEventListener("online", () => live.hurry());
addEventListener("offline", () => store.setConnection("offline"));

// The service worker tells what the person pressed, and that something was pushed.
navigator.serviceWorker?.addEventListener("message", ({ data }) => {
    if (typeof data?.navigate === "string" && data.navigate.startsWith("/")) router.navigate(data.navigate);
    if (data?.pushed !== undefined) store.alertNews.value += 1;
});

/**
 * Registers this browser again as the service knows it; what goes wrong is told by the notifications' screen. Whoever has not allowed
 * alerts has nothing to register.
 */
async function renewPush() {
    if (session.state.value !== "in" || globalThis.Notification?.permission !== "granted") return;
    try {
        await (await import("./push.js")).renew(api);
    } catch {
        // Tried again at the next start.
    }
}

async function loadKinds() {
    if (kinds.value || session.state.value !== "in") return;
    try {
        const { isNews, isOfDevice, openOf } = await import("../kinds/index.js");
        kinds.value = { isNews, isOfDevice, openOf };
    } catch (error) {
        // Nor does the screen come that it travels with, which is told. The next screen asks for it again.
        console.info("The kinds of alerts have not come.", error);
    }
}

/** Shows the devices beside the tabs, for which no first screen waits. */
async function startRail() {
    if (hasRail || !wide.matches || session.state.value !== "in") return;
    hasRail = true;
    try {
        const { createRail } = await words.along(import("./rail.js"));
        createRail({ root: tabs.rail, store, context: contextOf }).start();
    } catch (error) {
        // It was not kept, and nobody answers: the tabs lead to the devices, too.
        hasRail = false;
        console.info("There is no list of devices beside the tabs.", error);
    }
}

/** Says above every screen as which project this window acts. */
async function startActing() {
    if (!acting || session.state.value !== "in") return;
    try {
        const { showActing } = await words.along(import("./acting-bar.js"));
        showActing(shell, contextOf(), acting);
    } catch (error) {
        console.info("Nothing says whom this window acts for.", error);
    }
}

/** The project is no more the person's to act for: what is kept of it goes, and the window is the person's again. */
async function endPart() {
    stopActing();
    await disk.end();
    act(null);
}

/** Fetches what no first screen waits for. */
async function startAtLeisure() {
    if (isAtLeisure || session.state.value !== "in") return;
    isAtLeisure = true;
    try {
        (await import("./leisure.js")).follow({
            session,
            store,
            words: () => words,
            context: contextOf,
            onDue(count) {
                due = count;
                showTabs();
            },
        });
    } catch (error) {
        // The next session asks for it again.
        isAtLeisure = false;
        console.info("What is told beside the water has not come.", error);
    }
}

updates.follow();
await session.start();
await loadKinds();
await router.start();
first().started?.();
effect([session.state], startRail);
effect([session.state], startActing);
effect([session.state], loadKinds);
wide.addEventListener("change", startRail);
restoreDraft(root);
// What the person waits for comes before all files are fetched, to be kept.
await session.read();
effect([session.state, store.alertNews, store.connection], () => session.state.value === "in" && void store.told.read());
// The first screen with its values and graphs has the line for itself.
const leisure = new Promise((resolve) => setTimeout(resolve, 2_000));
effect([session.state], () => void leisure.then(startAtLeisure));
await updates.register();
effect([session.state], renewPush);
