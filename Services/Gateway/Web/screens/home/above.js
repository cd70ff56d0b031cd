/**
 * What the home screen says above the line, and what a reader of the screen is told when it changes.
 */

import { answer } from "../../components/answer/answer.js";
import { createAir } from "../../components/air/air.js";
import { deviceModel } from "../../components/device-card/device-model.js";
import { onItModel } from "../../components/on-it/on-it.js";
import { cancelSnooze, chooseSnooze } from "../../components/snooze/snooze.js";
import { changeWork, chooseWork } from "../../components/work/work.js";
import { isTold } from "../../kinds/index.js";
import { h, set, setText } from "../../page/dom.js";
import { isMadeOf } from "../../page/signals.js";
import { answeredText, repliesTo } from "../../water/answers.js";
import { isPast } from "../../water/headline.js";
import { isHeld } from "../../water/snoozes.js";
import { canLast, isGoingOn } from "../../water/work.js";
import { chooseDevice, showChecks } from "./menus.js";
import { detailsPath, lineModel } from "./models.js";
import { told } from "./sentences.js";

/** @typedef {import("../../water/headline.js").Gauge} Gauge */
/** @typedef {import("../../water/headline.js").Headline} Headline */
/** @typedef {import("../../water/headline.js").Tank} Tank */
/** @typedef {ReturnType<typeof deviceModel>} DeviceModel */

/** States from the worst on. */
const gravity = /** @type {const} */ (["low", "high", "fault", "silent"]);
/** What is silent, or snoozed no more, by the passing of time alone is seen so soon, in milliseconds. */
const grain = 10_000;

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} events
 * @param {() => void} events.more
 * @param {() => void} events.again Everything is to be read once more.
 * @param {() => boolean} events.hasDetails Whether the details stand on the same screen.
 */
export function createAbove(context, { more, again, hasDetails }) {
    const { store, t } = context;
    const air = createAir({ choose: () => chooseDevice(context), pick: (device) => store.choose(device), work, more });
    // For readers: what changes while the screen stands. Water that leaves its limits may interrupt them.
    const news = h("p", { class: "visually-hidden", role: "status" });
    const urgent = h("p", { class: "visually-hidden", role: "alert" });
    /** Who is on that, in words. */
    let heard = "";
    /** What the headline is about, so that a change of it is told and the passing of minutes is not. */
    let subject = "";
    /** The devices, and what each was made of: what changes one leaves the others as they are. @type {Map<string, {parts: unknown[], model: DeviceModel}>} */
    let made = new Map();

    function work() {
        const tank = store.current.value;
        if (tank) chooseWork(context, tank.id);
    }

    /**
     * @param {Tank | null | undefined} tank The one that is shown.
     * @param {number} now
     */
    function devicesOf(tank, now) {
        const former = made;
        made = new Map();
        return (store.tanks.value ?? []).map((other) => {
            const parts = [other, other.id === tank?.id, Math.floor(now / grain)];
            const had = former.get(other.id);
            const model = had && isMadeOf(had.parts, parts) ? had.model : deviceModel(context, other, now, other.id === tank?.id);
            made.set(other.id, { parts, model });
            return model;
        });
    }

    /**
     * @param {Tank | null | undefined} tank
     * @param {Headline} headline
     * @param {boolean} isRefused
     * @param {number} now
     */
    function buttonsOf(tank, headline, isRefused, now) {
        const gauge = headline.finding?.gauge ?? headline.recovered;
        /** @type {import("../../components/air/air.js").AirButton[]} */
        const buttons = tank?.isLookedAt ? [] : answersTo(headline);
        const isAnswered = headline.finding !== null && headline.finding.answered !== null;
        const first = buttons.length > 0 ? "second" : "primary";
        if (headline.kind === "empty") buttons.push({ text: t("home.empty_link"), kind: "primary", href: "/devices/link" });
        /** @type {import("../../components/air/air.js").AirButton[]} */
        const graph = tank && gauge && !isAnswered && !hasDetails() && ["outside", "fault", "silent", "recovered"].includes(headline.kind)
            ? [{ text: t("home.graph"), kind: first, href: detailsPath(tank.id, gauge.name) }]
            : [];
        // The graph comes first where nothing is to be said.
        if (first === "primary") buttons.push(...graph.splice(0));
        if (headline.finding && headline.kind === "outside") {
            const { subject } = headline.finding;
            if (isHeld(gauge?.snoozed, now)) buttons.push({ text: t("snooze.cancel"), kind: "second", press: () => cancelSnooze(context, subject) });
            else if (!headline.finding.answered?.isYou) buttons.push({ text: t("snooze.title"), kind: "second", press: () => chooseSnooze(context, subject) });
        }
        buttons.push(...graph);
        if (headline.kind === "byHand" && tank && !tank.isLookedAt) {
            buttons.push({ text: t("byHand.title"), kind: "primary", href: `/devices/${encodeURIComponent(tank.id)}/test` });
        }
        if (headline.kind === "working" && tank) buttons.push(...buttonsOfWork(tank));
        if (headline.kind === "silentDevice") {
            buttons.push({ text: t("home.check"), kind: first, press: () => showChecks(context) });
        }
        if (isRefused || headline.kind === "noAnswer" || headline.kind === "offline") {
            buttons.push({ text: t("home.noAnswer_now"), kind: "primary", press: again });
        }
        return buttons;
    }

    /**
     * Who only sees that somebody works has none.
     * @param {Tank} tank
     * @returns {import("../../components/air/air.js").AirButton[]}
     */
    function buttonsOfWork({ id, work, isLookedAt = false }) {
        if (!work || work.by !== null || isLookedAt) return [];
        const buttons = [{ text: t("work.finish"), kind: /** @type {const} */ ("primary"), press: () => changeWork(context, id, work.id, "finish") }];
        return canLast(work)
            ? [...buttons, { text: t("work.more"), kind: /** @type {const} */ ("second"), press: () => changeWork(context, id, work.id, "extend") }]
            : buttons;
    }

    /**
     * What the person can say of the trouble that they were told of. Each button has its own subject, whatever stands there later.
     * @param {Headline} headline
     * @returns {import("../../components/air/air.js").AirButton[]}
     */
    function answersTo({ kind, finding }) {
        if (!finding || finding.isSnoozed) return [];
        const { subject, answered } = finding;
        // Who is outside unknown to anybody is told so when they press; other trouble may be too young to be told.
        if (kind !== "outside" && answered === null && !isTold(store.told.open.value, subject)) return [];
        return repliesTo(answered).map((reply) => ({
            text: t(`answers.${reply}`),
            kind: reply === "onIt" ? "primary" : "second",
            press: () => answer(context, subject, reply),
        }));
    }

    /**
     * @param {Headline} headline
     * @returns {{shape: import("../../components/shape/shape.js").ShapeName, text: string} | null}
     */
    function liveWord(headline) {
        switch (headline.kind) {
            case "loading":
            case "empty":
            case "noAnswer":
                return null;
            case "late":
                return { shape: "snoozed", text: t("home.lateWord") };
            case "offline":
                return { shape: "offline", text: t("home.offlineWord") };
            case "silentDevice":
                return { shape: "silent", text: t("home.silentWord") };
            case "byHand":
                return { shape: "byHand", text: t("home.byHand_word") };
            default:
                return store.connection.value.state === "live"
                    ? { shape: "live", text: t("home.live") }
                    : { shape: "snoozed", text: t("home.connecting") };
        }
    }

    /**
     * @param {Tank | null | undefined} tank
     * @param {Headline} headline
     * @param {{headline: string, action: string}} text
     * @param {number} now
     */
    function announce(tank, headline, text, now) {
        const gauge = headline.finding?.gauge;
        const about = `${tank?.id ?? ""} ${headline.kind} ${gauge?.name ?? ""} ${gauge?.side ?? ""}`;
        if (subject !== "" && about !== subject && headline.kind !== "loading") {
            setText(headline.isAlarm ? urgent : news, [text.headline, text.action].filter((part) => part !== "").join(". "));
        }
        const { answered = null } = headline.finding ?? {};
        const who = answered ? answeredText(context, answered, now) : "";
        if (about === subject && who !== heard && who !== "") setText(news, who);
        heard = who;
        subject = about;
    }

    /**
     * The worst that is the matter with other devices, as far as it calls.
     * @param {readonly DeviceModel[]} devices
     */
    function elsewhere(devices) {
        const troubled = devices.filter(({ isCurrent, isSnoozed, isAnswered }) => !isCurrent && !isSnoozed && !isAnswered)
            .map(({ standing }) => standing).filter((standing) => !["fine", "waiting", "worked", "byHand"].includes(standing));
        const worst = gravity.find((state) => troubled.includes(state));
        if (worst === undefined) return null;
        return { shape: worst, count: String(troubled.length), label: t("home.elsewhere", { count: troubled.length }) };
    }

    return {
        air,
        announcements: [news, urgent],

        /** @param {string} text For readers, while nothing else is the matter. */
        say(text) {
            setText(news, text);
        },

        /**
         * @param {Tank | null | undefined} tank
         * @param {Headline} headline
         * @param {object} surroundings
         * @param {number} surroundings.now
         * @param {string} surroundings.trouble Why nothing is known yet, when the service said so.
         * @param {(gauge: Gauge) => import("../../water/series.js").Series | null} surroundings.seriesOf
         * @param {import("./sentences.js").Overall | null} surroundings.overall
         */
        update(tank, headline, { now, trouble, seriesOf, overall }) {
            const isRefused = headline.kind === "loading" && trouble !== "";
            const text = isRefused
                ? {
                    headline: t("home.failed"),
                    reason: [{ text: t("home.failed_reason", { problem: trouble }) }],
                    since: "",
                    action: "",
                }
                : told(context, headline, { now, seriesOf, overall, work: tank?.work ?? null });
            announce(tank, headline, text, now);
            const devices = devicesOf(tank, now);
            air.update({
                tone: headline.isAlarm ? "alarm" : "plain",
                isLoading: headline.kind === "loading" && !isRefused,
                devices,
                chooseLabel: t("home.choose"),
                elsewhere: elsewhere(devices),
                live: liveWord(headline),
                ...text,
                onIt: headline.finding?.answered ? onItModel(context, headline.finding.answered, now, store.account.value?.name) : null,
                buttons: buttonsOf(tank, headline, isRefused, now),
                ...lineModel(context, tank, headline, now, seriesOf),
                workLabel: tank && !tank.isLookedAt && !isPast(headline) && headline.kind !== "loading" && !isGoingOn(tank.work, now) ? t("work.start") : null,
                moreLabel: t("home.more"),
            });
            set(air.element, "data-strong", headline.kind === "empty" || headline.kind === "working");
        },
    };
}
