/** What All tanks shows of one tank, and says above the line. */

import { lineAmongMany } from "../../../app/tank-lines.js";
import { periodOf } from "../../../app/history.js";
import { wordsOf } from "../../../kinds/index.js";
import { shortAnsweredText } from "../../../water/answers.js";
import { gaugeShown, testShown } from "../../../water/overview.js";
import { shortSnoozedText } from "../../../water/snoozes.js";
import { testedText } from "../../../water/tested.js";
import { valueText } from "../../../water/value-text.js";

/** @typedef {import("../../../app/context.js").Context} Context */
/** @typedef {import("../../../water/headline.js").Tank} Tank */
/** @typedef {import("../../../water/overview.js").Standing} Standing */
/** @typedef {import("../../../components/tile/tile.js").TileModel} TileModel */

/**
 * @param {Context} context
 * @param {Tank} tank
 * @param {Standing} standing
 * @param {object} surroundings
 * @param {number} surroundings.now
 * @param {string | null} surroundings.parameter
 * @param {boolean} surroundings.isCutOff
 * @param {readonly import("../../../water/alerts.js").Episode[]} surroundings.past
 * @returns {TileModel}
 */
export function tileModel(context, tank, standing, { now, parameter, isCutOff, past }) {
    const { t, format } = context;
    const { mood, finding, isOutside } = standing;
    const tested = mood === "byHand" ? testShown(tank, parameter) : null;
    const gauge = tested ?? gaugeShown(tank, parameter, now);
    const isHere = isOutside && gauge !== null && finding?.gauge?.name === gauge.name;
    const state = stateText(context, tank, standing, isHere, now);
    const value = gauge === null ? "" : format.number(gauge.value, gauge.range.decimals);
    // The number of whichever is nearest says little without its name.
    const named = parameter === null && gauge ? t(`water.${gauge.name}`) : "";
    const full = gauge ? `${t(`water.${gauge.name}`)} ${valueText(context, gauge)}` : "";
    const period = periodOf(now);
    const line = lineAmongMany(tank, past, period, now);
    const isFlat = line.swells.length + line.gaps.length + line.works.length === 0;
    return {
        id: tank.id,
        name: tank.name,
        isSite: Boolean(tank.site),
        value,
        mood,
        shape: tested?.handSide ?? shapeOf(mood, finding),
        word: state === "" ? named : state,
        label: [tank.name, state || t(mood === "waiting" ? "home.state_waiting" : "home.state_fine"), full].filter((part) => part !== "").join(", "),
        isHere: isHere && !isCutOff,
        isOld: isCutOff,
        line: isFlat ? null : {
            period,
            ...line,
            tone: isCutOff || mood === "silent" ? "old" : isOutside && mood !== "snoozed" ? "alarm" : "fine",
        },
    };
}

/**
 * @param {import("../../../water/overview.js").Mood} mood
 * @param {import("../../../water/headline.js").Finding | null} finding
 */
function shapeOf(mood, finding) {
    if (mood === "fine" || mood === "waiting") return null;
    // In a list of alarms the side says more than that somebody is on it, which is said in words.
    if (mood === "answered") return finding?.gauge?.side ?? "answered";
    return mood;
}

/**
 * The state in words; empty while it is fine.
 * @param {Context} context
 * @param {Tank} tank
 * @param {Standing} standing
 * @param {boolean} isHere Whether the number beside the name is of what is outside.
 * @param {number} now
 */
function stateText(context, tank, { mood, finding }, isHere, now) {
    const { t, format } = context;
    if (mood === "waiting") return t("home.state_waiting");
    if (mood === "byHand") return testedText(context, tank.site?.testedAt, now);
    if (mood === "worked") return t("tanks.worked", { span: format.brief(Math.max(60_000, now - (tank.work?.from ?? now))) });
    if (!finding) return "";
    const { gauge, answered, isSnoozed, since } = finding;
    const word = finding.kind === "outside" && gauge
        ? isHere ? t(gauge.side === "low" ? "home.state_low" : "home.state_high") : t(`water.${gauge.name}_${gauge.side === "low" ? "lowShort" : "highShort"}`)
        : wordsOf(finding)?.word(context, finding, now) ?? "";
    if (isSnoozed && gauge?.snoozed) return `${word} · ${shortSnoozedText(context, gauge.snoozed, now)}`;
    if (answered) return `${word} · ${shortAnsweredText(context, answered)}`;
    return finding.kind === "outside" ? t("tanks.lasting", { word, span: format.brief(Math.max(60_000, now - since)) }) : word;
}

/**
 * What is the matter with one tank, in a sentence behind its name.
 * @param {Context} context
 * @param {import("../../../water/headline.js").Finding} finding
 * @param {number} now
 * @param {boolean} isLong Whether there is room to say since when.
 */
export function matterOf(context, finding, now, isLong) {
    const { t, format } = context;
    const what = wordsOf(finding)?.noticed(context, finding, now) ?? "";
    if (finding.answered) return shortAnsweredText(context, finding.answered);
    if (finding.kind !== "outside" || !finding.gauge) return what;
    return t(isLong ? "tanks.matter" : "tanks.matter_short", { what, value: valueText(context, finding.gauge), time: format.placed(finding.since, now) });
}
