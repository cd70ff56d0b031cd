/** One alert: what happened, what to do, why it was sent, and whether it arrived. */

import { chainsOf } from "../../app/chains.js";
import { inTurn } from "../../app/turns.js";
import { createBlankList } from "../../components/list-row/list-row.js";
import { onItModel } from "../../components/on-it/on-it.js";
import { createBack, createEmpty, createProblem } from "../../components/page/page.js";
import { setShape } from "../../components/shape/shape.js";
import { createSparkline } from "../../components/sparkline/sparkline.js";
import { createSteps } from "../../components/steps/steps.js";
import { setInk } from "../../drawing/ink.js";
import { isOpen, kindOf, quietOf, subjectOf } from "../../kinds/index.js";
import { h, set, setText } from "../../page/dom.js";
import { createKeyed } from "../../page/keyed.js";
import { effect } from "../../page/signals.js";
import { createSlot } from "../../page/slot.js";
import { episodeKey, episodesOf } from "../../water/alerts.js";
import { answerOf } from "../../water/answers.js";
import { isReplaced } from "../../water/probes.js";
import { mayAct } from "../../water/projects.js";
import { decoded } from "../../water/series.js";
import { isHeld, snoozedText, snoozeOf } from "../../water/snoozes.js";
import { asked } from "../../water/why.js";
import { isProblem } from "../../words/problem.js";
import { createFact, fact } from "./facts.js";
import { answering, snoozed, snoozing } from "./replies.js";
import { isCallDue, reasons, sent } from "./told.js";

/** @typedef {import("../../water/alerts.js").Alert} Alert */
/** @typedef {import("./facts.js").Fact} Fact */
/** @typedef {import("./told.js").Explained} Explained */
/** @typedef {{href: string | null, text: string}} Link null: the water of the device. */

/** So many messages of one stretch are told one by one. */
const mostTold = 12;
const hour = 3_600_000;
/** What is drawn begins and ends so long before and after the stretch, and is no shorter than the cards' lines. */
const margin = 2 * hour;
const least = 12 * hour;
/** What is explained begins and ends so long before and after the stretch. */
const around = hour / 4;
/** About two pixels each. */
const points = 160;
/** What is over, or snoozed no more, by the passing of time alone is seen so soon. */
const beat = 30_000;

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 * @param {Record<string, string>} params
 */
export function mount(root, context, { alert: id }) {
    const { t, api, store, format } = context;
    const { ways } = chainsOf(context);
    context.title(t("alerts.one"));
    const shape = h("span", { class: "alert-shape" });
    const title = h("span", null, t("alerts.one"));
    const headline = h("h1", { class: "alert-headline", tabindex: "-1" }, shape, title);
    /** When it was read, where it cannot be read now. */
    const age = h("p", { class: "alert-age small", role: "status" });
    const where = h("p", { class: "alert-where" });
    const action = h("p", { class: "alert-action" });
    const air = h(
        "header",
        { class: "air page-air alert-air" },
        h("div", { class: "screen-bar" }, createBack(context, "/alerts")),
        headline,
        where,
        age,
        action,
    );
    const problem = createProblem({ text: t("common.retry"), press: () => read() });
    const line = createSparkline();
    const drawing = h("div", { class: "alert-line inked", hidden: true }, line.element);
    const list = h("dl", { class: "facts" });
    const updateFacts = createKeyed(list, (/** @type {Fact} */ { name }) => name, createFact);
    const about = h("div", { class: "surface" }, drawing, list);
    const snoozes = createSlot(h("div"));
    const links = createSlot(h("p", { class: "alert-more" }));
    const messages = createSlot(h("div"));
    const why = createSlot(h("div"));
    const whole = [about, snoozes.element, links.element, messages.element, why.element];
    const content = h("div", null, createBlankList(4));
    const body = h("div", { class: "water page-water" }, problem.element, content);
    root.replaceChildren(air, body);
    /** @type {Explained | null} */
    let shown = null;
    /** @type {Explained[]} */
    let told = [];
    /** @type {{series: import("../../water/series.js").Series, period: import("../../water/series.js").Period} | null} */
    let drawn = null;
    /** @type {import("../../water/why.js").Explanation | null} */
    let explained = null;
    /** Whether another probe measures in the place of the one that is silent. */
    let isOtherHeard = false;
    let seenAt = 0;
    /** Whether it could not be read since. */
    let isOld = false;
    let hasEnded = false;

    async function read() {
        try {
            const { data } = await api.get(`/alerts/${encodeURIComponent(id)}`);
            if (hasEnded) return;
            shown = data;
            told = [data];
            isOld = false;
            seenAt = Date.now();
            problem.show("");
            update();
            if (data.calls) void ways.read();
            await Promise.all([readOthers(data), readLine(data), readWhy(data), readProbes(data)]);
            store.keepPage(`alert ${id}`, { shown, told, drawn, explained, seenAt });
        } catch (error) {
            if (hasEnded) return;
            const kept = isProblem(error) ? undefined : await store.kept(`alert ${id}`);
            if (kept) {
                ({ shown, told, drawn = null, explained = null, seenAt = 0 } = kept);
                isOld = true;
            } else if (isProblem(error) && error.status === 404) {
                setText(title, t("alerts.unknown"));
                return content.replaceChildren(createEmpty(t("alerts.unknown_text"), { text: t("alerts.all"), href: "/alerts" }));
            } else if (!shown) content.replaceChildren();
            problem.show(shown && !isProblem(error) ? "" : context.explain(error, "read"));
        }
        if (!hasEnded) update();
    }

    /**
     * What else was sent about the same stretch of time.
     * @param {Explained} alert
     */
    async function readOthers(alert) {
        if (!alert.device || kindOf(alert).isTrial) return;
        const { data } = await api.get("/alerts", {
            query: { device: alert.device.id, parameter: alert.parameter, kind: alert.kind, since: alert.since, limit: 200 },
        });
        const others = data.items.filter((/** @type {Alert} */ other) => episodeKey(other) === episodeKey(alert) && other.id !== alert.id);
        const explained = await Promise.all(
            others.slice(0, mostTold).map(async (/** @type {Alert} */ other) => (await api.get(`/alerts/${other.id}`)).data),
        );
        told = [alert, ...explained].sort((one, other) => Date.parse(one.decidedAt) - Date.parse(other.decidedAt));
    }

    /**
     * The parameter around that stretch of time, as the cards draw it.
     * @param {Explained} alert
     */
    async function readLine(alert) {
        if (!alert.device || !alert.parameter || kindOf(alert).isOfProbe || kindOf(alert).isTrial) return;
        const [episode] = episodesOf([...told].reverse());
        const to = Math.min(Date.now(), episode.until === null ? Date.now() : episode.until + margin);
        const period = { from: Math.min(episode.since - margin, to - least), to };
        const { data } = await api.get(`/devices/${encodeURIComponent(alert.device.id)}/parameters/${alert.parameter}/series`, {
            query: { from: new Date(period.from).toISOString(), until: new Date(to).toISOString(), points },
        });
        drawn = { series: decoded(data), period };
    }

    /**
     * What came of the readings of that stretch of time. Without it the reasons are told that are stored with the alert.
     * @param {Explained} alert
     */
    async function readWhy(alert) {
        // The person's own limits explain no alarm of somebody else's.
        if (!alert.device || !alert.parameter || kindOf(alert).isOfProbe || kindOf(alert).isTrial || kindOf(alert).isCall) return;
        const [episode] = episodesOf([...told].reverse());
        const period = { from: episode.since - around, to: (episode.until ?? Date.now()) + around };
        try {
            const path = `/devices/${encodeURIComponent(alert.device.id)}/parameters/${alert.parameter}/why`;
            const { data } = await inTurn(() => api.get(path, { query: asked(period, Date.now()) }));
            explained = data.steps.length > 0 ? data : null;
        } catch (error) {
            if (!isProblem(error)) throw error;
        }
    }

    /**
     * Whether another probe measures now.
     * @param {Explained} alert
     */
    async function readProbes(alert) {
        if (!alert.device || !kindOf(alert).mayBeReplaced?.(alert)) return;
        try {
            const { data } = await api.get(`/devices/${encodeURIComponent(alert.device.id)}/probes`);
            isOtherHeard = isReplaced(data);
        } catch (error) {
            if (!isProblem(error)) throw error;
        }
    }

    /**
     * @param {import("../../water/headline.js").Gauge | undefined} gauge
     * @param {boolean} isRed
     */
    function updateLine(gauge, isRed) {
        const isKnown = gauge !== undefined && drawn !== null && drawn.series.unit === gauge.unit && drawn.series.points.length > 0;
        drawing.hidden = !isKnown;
        if (!gauge || !drawn || !isKnown) return;
        const { range, side, colour } = gauge;
        setInk(drawing, colour);
        line.update({
            ...drawn,
            range,
            isOld: false,
            side: isRed ? side : null,
            maximum: format.limit(range.maximum, range.decimals),
            minimum: format.limit(range.minimum ?? range.least, range.decimals),
        });
    }

    /** @param {readonly Element[]} parts */
    function place(parts) {
        if (parts.some((part, index) => content.children[index] !== part)) content.replaceChildren(...parts);
    }

    function update() {
        if (!shown) return;
        const alert = shown;
        const now = Date.now();
        const { device } = alert;
        setText(age, isOld && seenAt > 0 ? t("devices.old", { at: format.at(seenAt, now) }) : "");
        messages.update([told, ways.known.value], () => sent(context, told, ways.known.value));
        const kind = kindOf(alert, t);
        if (kind.isTrial || !device) {
            setText(title, kind.isTrial ? t("alerts.test") : alert.title);
            setText(where, format.moment(Date.parse(alert.decidedAt), now));
            setText(action, kind.isTrial ? "" : alert.text);
            return place([messages.element]);
        }
        const [episode] = episodesOf([...told].reverse());
        const isNow = isOpen(episode, store.tanks.value ?? []);
        const gauge = store.tanks.value?.find((tank) => tank.id === device.id)?.gauges.find((one) => one.name === alert.parameter);
        const subject = subjectOf(alert);
        const isQuiet = isNow && subject !== null && quietOf(subject, gauge, store.snoozes.value, now) !== null;
        // Red calls: what was told off, what is over and what nobody knows of now does not.
        // An answered alarm is not over.
        const isRed = isNow && (kind.isOfRange ?? false) && !isQuiet && !isOld;
        const decimals = store.parameterOf(device.id, alert.parameter ?? "")?.decimals;
        const about = kind.told(context, episode, { now, isNow, shown: alert, gauge, decimals, isRed });
        const role = store.deviceOf(device.id)?.role;
        const isReplaced = isOtherHeard && !kind.isOfRange;
        updateLine(gauge, isRed);
        context.title(about.name);
        set(air, "data-alarm", isRed);
        setShape(shape, isQuiet ? "snoozed" : isNow ? kind.shape(alert) : kind.past ?? "fine");
        setText(title, about.name);
        const span = format.duration((episode.until ?? now) - episode.since);
        const whose = alert.caller ? `${t("alerts.called", { name: alert.caller })} · ${device.name}` : device.name;
        setText(
            where,
            isNow
                ? t("alerts.where_now", { device: whose, time: format.placed(episode.since, now), span })
                : episode.taken
                ? `${whose} · ${t("alerts.called_off", { at: format.at(episode.taken.at, now), name: episode.taken.name })}`
                : episode.until === null
                ? `${whose} · ${format.moment(episode.since, now)}`
                : t("alerts.where_past", { device: whose, time: format.moment(episode.since, now), until: format.moment(episode.until, now), span }),
        );
        const advice = isReplaced ? t(role === undefined || role === "owner" ? "probes.replaced" : "probes.replaced_watcher") : about.action;
        setText(action, isNow ? advice : "");
        // What was told stays told, though its readings are gone.
        const gone = alert.readingsDeletedAt ? [fact(t("records.readings_deleted"), format.moment(Date.parse(alert.readingsDeletedAt), now))] : [];
        updateFacts([...about.facts.map(([name, value, isAlarm]) => fact(name, value, isAlarm)), ...gone]);
        updateSnoozes(alert, subject, isNow, now);
        const leads = kind.isOfRange ? waterLinks(alert, device.id) : besideLinks(alert, device.id, isNow && isReplaced && role === "owner");
        links.update([JSON.stringify(leads)], () => leads.map((link) => linkTo(device.id, link)));
        why.update([explained, alert], () => explained ? explanation(explained) : reasons(context, alert));
        place(whole);
    }

    /**
     * The person who is on it and what can be said; or not now, or until when.
     * @param {Explained} alert
     * @param {import("../../water/snoozes.js").Subject | null} subject
     * @param {boolean} isNow
     * @param {number} now
     */
    function updateSnoozes(alert, subject, isNow, now) {
        if (!isNow || subject === null || store.deviceOf(subject.device) === null) return snoozes.update([], () => []);
        const held = snoozeOf(store.snoozes.value, subject);
        const text = held && isHeld(held, now) ? snoozedText(context, held, now) : "";
        const answered = answerOf(store.answers.value, subject, now);
        const who = answered && onItModel(context, answered, now, store.account.value?.name);
        const isLookedAt = !mayAct(store.deviceOf(subject.device));
        snoozes.update([text, who?.text, JSON.stringify(subject), alert.id, isLookedAt], () => [
            ...answering(context, subject, answered, who, isLookedAt),
            ...text !== "" ? snoozed(context, alert, subject, text) : answered?.isYou ? [] : snoozing(context, alert, subject),
        ]);
    }

    /**
     * @param {Explained} alert
     * @param {string} device
     * @param {boolean} isChoice Whether the person may choose another probe.
     * @returns {Link[]}
     */
    function besideLinks({ parameter }, device, isChoice) {
        if (store.deviceOf(device) === null) return [];
        return [
            parameter ? { href: `/p/${encodeURIComponent(device)}/${parameter}`, text: t("parameter.graph") } : { href: null, text: t("devices.see") },
            { href: `/devices/${encodeURIComponent(device)}`, text: t(isChoice ? "probes.choose" : "alerts.device") },
        ];
    }

    /**
     * @param {Explained} alert
     * @param {string} device
     * @returns {Link[]}
     */
    function waterLinks({ parameter, caller }, device) {
        const graph = { href: `/p/${encodeURIComponent(device)}/${parameter}`, text: t("parameter.graph") };
        const limits = { href: `/settings/${encodeURIComponent(device)}/${parameter}`, text: t("alerts.limits") };
        // The limits of somebody else are not the person's to change, nor are a project's to who only looks.
        return caller || !mayAct(store.deviceOf(device)) ? [graph] : [graph, limits];
    }

    /**
     * @param {string} device
     * @param {Link} link
     */
    function linkTo(device, { href, text }) {
        if (href !== null) return h("a", { class: "button", href }, text);
        const see = () => {
            store.choose(device);
            context.navigate("/");
        };
        return h("button", { class: "button", type: "button", onclick: see }, text);
    }

    /** @param {import("../../water/why.js").Explanation} steps */
    function explanation(steps) {
        return [h("h2", { class: "section-head" }, t("alerts.why")), createSteps(context, steps, Date.now(), id)];
    }

    /** What cannot be read now is old; what is old is read as soon as it can be. */
    function follow() {
        const { state } = store.connection.value;
        if (state !== "offline" && state !== "noAnswer") return void (isOld && read());
        isOld = shown !== null;
        update();
    }

    const end = effect([store.alertNews, store.callNews], () => void read());
    const endConnection = store.connection.subscribe(follow);
    const endTanks = effect([store.tanks, store.snoozes, store.answers, ways.known], update);
    // An answer stops the chain.
    const endAnswers = store.answers.subscribe(() => shown?.calls && void read());
    const timer = setInterval(() => {
        update();
        if (isCallDue(told, Date.now())) void read();
    }, beat);
    return {
        unmount() {
            hasEnded = true;
            end();
            endTanks();
            endAnswers();
            endConnection();
            clearInterval(timer);
        },
    };
}
