/** What can be set of a parameter's alarms, each as one row. */

import { deepStrictEqual as same } from "node:assert/strict";
import { wordsOf } from "../../Services/Gateway/Web/lang/index.js";
import { settings } from "../../Services/Gateway/Web/screens/parameter/settings.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { en } from "./languages.js";

const t = wordsOf("en", en);
const voice = { t, format: createFormat("en", "UTC", t) };
/** @type {any} */
const parameter = {
    unit: "C",
    decimals: 1,
    minimum: 12,
    maximum: null,
    least: -10,
    greatest: 50,
    scale: { unit: "C", decimals: 1, factor: 1, offset: 0, table: null },
    delaySeconds: 1200,
    tellsUnstable: true,
    changePerHour: 1.2,
    change: { unit: "C", decimals: 1, least: 0.1, greatest: 20 },
    aheadMinutes: 45,
};

/** @param {any} [changes] What each row offers and says, by its field. */
function rows(changes) {
    const own = { ...parameter, ...changes };
    return Object.fromEntries(settings.map((setting) => {
        if ("isOffered" in setting) return [setting.field, setting.isOffered(own)];
        return [setting.field, setting.values(own).length === 0 ? null : setting.text(voice, setting.valueOf(own), own)];
    }));
}

Deno.test("each says what holds, in the order of the screen", () => {
    same(rows(), {
        delaySeconds: "after 20 min",
        tellsUnstable: "told once",
        criticalMinimum: true,
        criticalMaximum: false,
        changePerHour: voice.t("parameter.change_inAnHour", { value: "1.2\u00a0°C" }),
        aheadMinutes: voice.t("parameter.ahead_before", { span: "45 min" }),
    });
});

Deno.test("what a service of before does not know is not offered, and without limits nothing is told ahead", () => {
    same(rows({ aheadMinutes: undefined, change: undefined, scale: undefined, delaySeconds: undefined, tellsUnstable: undefined }), {
        delaySeconds: t("parameter.delay_none"),
        tellsUnstable: t("parameter.unstable_each"),
        criticalMinimum: false,
        criticalMaximum: false,
        changePerHour: null,
        aheadMinutes: null,
    });
    same(rows({ aheadMinutes: null, minimum: null }).aheadMinutes, null);
    same(rows({ aheadMinutes: null }).aheadMinutes, t("parameter.ahead_none"));
});

Deno.test("what holds is among what is offered", () => {
    for (const setting of settings) {
        if ("isOffered" in setting) continue;
        const values = setting.values(parameter);
        same(values.filter((value) => value === setting.valueOf(parameter)).length, 1, setting.field);
        same(new Set(values.map(String)).size, values.length, setting.field);
        same(new Set(values.map((value) => setting.text(voice, value, parameter))).size, values.length, setting.field);
        same([t.has(setting.name), t.has(setting.lead)], [true, true]);
    }
});
