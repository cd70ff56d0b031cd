/** Which points are shown: all, those of a zone, of probes or by hand; and what a zone comes to. */

import { createSymbol } from "../../components/symbol/symbol.js";
import { h, set, setText } from "../../page/dom.js";
import { createKeyed } from "../../page/keyed.js";
import { listed, sumOf } from "../../water/change.js";

/** @typedef {import("../../water/change.js").Zone} Zone */
/** @typedef {import("../../water/change.js").Filter} Filter */
/** @typedef {{id: string, text: string, isOn: boolean, star: boolean, press: () => void}} Chip */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} parts
 * @param {ReturnType<typeof import("./texts.js").createTexts>} parts.texts
 * @param {(filter: Filter) => void} parts.choose
 * @param {(zone: Zone) => void} parts.change
 * @param {(zone: Zone) => void} parts.star
 * @param {(zone: Zone) => void} parts.keep On this device.
 */
export function createZoneChoice({ t, format }, { texts, choose, change, star, keep }) {
    const chips = h("div", { class: "change-buttons", role: "group", "aria-label": t("changeMap.filter") });
    const text = h("p");
    const favourite = h("button", { class: "icon-button", type: "button", onclick: () => zone && star(zone) });
    const edit = h("button", { class: "icon-button", type: "button", "aria-label": t("changeMap.zone_change"), onclick: () => zone && change(zone) }, createSymbol("pencil"));
    const save = h("button", { class: "icon-button", type: "button", hidden: true, "aria-label": t("changeMap.zone_keep"), onclick: () => zone && keep(zone) }, createSymbol("download"));
    const sum = h("div", { class: "change-sum", hidden: true }, text, save, favourite, edit);
    const element = h("div", { class: "change-choice" }, chips, sum);
    /** @type {Zone | null} */
    let zone = null;
    const update = createKeyed(chips, (/** @type {Chip} */ { id }) => id, createChip);

    return {
        element,
        /** @param {boolean} isPossible Whether a zone can be kept on this device. */
        offerKeeping: (isPossible) => set(save, "hidden", !isPossible),
        /**
         * @param {Filter} filter
         * @param {readonly Zone[]} zones
         * @param {number} count All points.
         * @param {readonly import("../../water/change.js").ChangePoint[]} points Those that are shown.
         */
        show(filter, zones, count, points) {
            zone = zones.find(({ id }) => id === filter.zone) ?? null;
            /** @param {Partial<Filter>} next */
            const press = (next) => () => choose({ ...filter, ...next });
            update([
                { id: "all", text: t("changeMap.all", { count }), isOn: filter.zone === null && filter.kind === "all", star: false, press: () => choose({ zone: null, kind: "all" }) },
                ...listed(zones, format.locale).map(({ id, name, favourite }) => ({
                    id: `zone ${id}`,
                    text: name,
                    isOn: filter.zone === id,
                    star: favourite,
                    press: press({ zone: filter.zone === id ? null : id }),
                })),
                ...(/** @type {const} */ (["probes", "byHand"])).map((kind) => ({
                    id: kind,
                    text: t(`changeMap.only_${kind}`),
                    isOn: filter.kind === kind,
                    star: false,
                    press: press({ kind: filter.kind === kind ? "all" : kind }),
                })),
            ]);
            set(sum, "hidden", zone === null);
            if (!zone) return;
            const { mean, known, rising, falling } = sumOf(points);
            setText(text, mean === null
                ? t("changeMap.sum_unknown", { name: zone.name })
                : t("changeMap.sum", { name: zone.name, mean: texts.signedWithUnit(mean), count: known, rising, falling }));
            for (const button of [favourite, edit]) set(button, "hidden", !zone.mayChange);
            setText(favourite, zone.favourite ? "★" : "☆");
            set(favourite, "aria-label", t("changeMap.favourite"));
            set(favourite, "aria-pressed", zone.favourite);
        },
    };
}

function createChip() {
    /** @type {() => void} */
    let press = () => {};
    const element = h("button", { class: "chip chip-small", type: "button", onclick: () => press() });
    return {
        element,
        /** @param {Chip} chip */
        update(chip) {
            press = chip.press;
            setText(element, chip.star ? `★ ${chip.text}` : chip.text);
            set(element, "data-on", chip.isOn);
            set(element, "aria-pressed", String(chip.isOn));
        },
    };
}
