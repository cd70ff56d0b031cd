/**
 * What stands above the line: which device, one sentence on its water, what to do, and the line itself with its captions.
 */

import { crowdedBy } from "../../drawing/labels.js";
import { h, set, setText } from "../../page/dom.js";
import { isMadeOf } from "../../page/signals.js";
import { textSize } from "../../page/text-size.js";
import { createButtons } from "../button/buttons.js";
import { createOnIt } from "../on-it/on-it.js";
import { createIcon, setShape } from "../shape/shape.js";
import { createWaterline } from "../waterline/waterline.js";

/** @typedef {import("../shape/shape.js").ShapeName} ShapeName */

/** @typedef {import("../button/buttons.js").RowButton & {kind: 'primary' | 'second'}} AirButton */

/**
 * @typedef {object} AirDevice
 * @property {string} id
 * @property {string} name
 * @property {ShapeName | null} shape Of its worst thing; null when it is fine.
 * @property {string} label Its name and state in words.
 * @property {boolean} isCurrent
 */

/**
 * @typedef {object} AirModel
 * @property {'plain' | 'alarm'} tone
 * @property {boolean} isLoading
 * @property {readonly AirDevice[]} devices
 * @property {string} chooseLabel
 * @property {{shape: ShapeName, count: string, label: string} | null} elsewhere Other devices in trouble.
 * @property {{shape: ShapeName, text: string} | null} live
 * @property {string} headline
 * @property {readonly {text: string, isStrong?: boolean}[]} reason
 * @property {string} since
 * @property {string} action
 * @property {import("../on-it/on-it.js").OnItModel | null} onIt Who is on it.
 * @property {readonly AirButton[]} buttons
 * @property {import("../waterline/waterline.js").WaterlineModel} line
 * @property {{start: string, begin: {text: string, share: number} | null, end: string}} captions
 * @property {string | null} workLabel null where no work can begin.
 * @property {string} moreLabel
 */

/**
 * @param {object} events
 * @param {() => void} events.choose Another device is wanted.
 * @param {(device: string) => void} events.pick This device is wanted.
 * @param {() => void} events.work Work on the water is to begin.
 * @param {() => void} events.more
 */
export function createAir({ choose, pick, work, more }) {
    const name = h("span", { class: "air-name name" });
    const elsewhereShape = h("span");
    const elsewhereCount = h("span");
    const elsewhere = h("span", { class: "air-elsewhere" }, elsewhereShape, elsewhereCount);
    const switcher = h(
        "button",
        { class: "air-switcher", type: "button", "aria-haspopup": "dialog", onclick: choose },
        name,
        createIcon("chevronDown", "icon-small"),
        elsewhere,
    );
    const chips = h("div", { class: "air-chips", role: "group" });
    /** What the chips were made of. @type {unknown[]} */
    let chipped = [];
    const liveShape = h("span", { class: "air-live-shape" });
    const liveText = h("span");
    const live = h("span", { class: "air-live small", role: "status" }, liveShape, liveText);
    const bucket = h("button", { class: "air-work icon-button", type: "button", "aria-haspopup": "dialog", onclick: work }, createIcon("bucket"));
    const menu = h("button", { class: "air-more icon-button", type: "button", "aria-haspopup": "dialog", onclick: more }, createIcon("more"));
    const headline = h("h1", { class: "air-headline headline", tabindex: "-1" });
    const reason = h("p", { class: "air-reason" });
    const since = h("p", { class: "air-since" });
    const action = h("p", { class: "air-action" });
    const onIt = createOnIt();
    const buttons = createButtons("air-buttons buttons", "air-button-");
    const line = createWaterline("air");
    const start = h("span");
    const begin = h("span", { class: "air-caption-begin" });
    const end = h("span");
    const captions = h("p", { class: "air-captions small" }, start, begin, end);
    const element = h(
        "header",
        { class: "air home-air" },
        h("div", { class: "air-row" }, switcher, chips, live, bucket, menu),
        h(
            "div",
            { class: "air-text" },
            h("div", { class: "air-what" }, headline, h("div", { class: "air-why" }, reason, since)),
            h("div", { class: "air-do" }, action, onIt.element, buttons.element),
        ),
        line.element,
    );

    return {
        element,
        captions,
        headline,
        /** @param {AirModel} model */
        update(model) {
            set(element, "data-tone", model.tone);
            set(element, "data-loading", model.isLoading);
            const current = model.devices.find((device) => device.isCurrent);
            set(switcher, "hidden", current === undefined);
            set(switcher, "aria-label", current ? `${model.chooseLabel}: ${current.name}` : null);
            set(switcher, "data-alone", model.devices.length < 2);
            setText(name, current?.name ?? "");
            set(elsewhere, "hidden", model.elsewhere === null);
            if (model.elsewhere) {
                setShape(elsewhereShape, model.elsewhere.shape);
                setText(elsewhereCount, model.elsewhere.count);
                set(switcher, "aria-label", `${model.chooseLabel}: ${current?.name ?? ""}. ${model.elsewhere.label}`);
            }
            set(menu, "hidden", current === undefined);
            set(menu, "aria-label", model.moreLabel);
            set(bucket, "hidden", model.workLabel === null);
            set(bucket, "aria-label", model.workLabel);
            const parts = [model.chooseLabel, ...model.devices];
            if (!isMadeOf(chipped, parts)) updateChips(chips, model, pick);
            chipped = parts;
            set(live, "hidden", model.live === null);
            if (model.live) {
                setShape(liveShape, model.live.shape);
                setText(liveText, model.live.text);
            }
            setText(headline, model.headline);
            updateParts(reason, model.reason);
            setText(since, model.since);
            setText(action, model.action);
            onIt.update(model.onIt);
            buttons.update(model.buttons);
            line.update(model.line);
            setText(start, model.captions.start);
            setText(end, model.captions.end);
            set(begin, "hidden", model.captions.begin === null);
            setText(begin, model.captions.begin?.text ?? "");
            begin.style.setProperty("--share", (model.captions.begin?.share ?? 0).toFixed(4));
            // Widths are measured only where there is something to measure.
            const crowded = model.captions.begin && crowdedBy({ width: captions.offsetWidth, em: textSize(), ...model.captions });
            set(end, "data-crowded", crowded?.end);
            set(start, "data-crowded", crowded?.start);
        },
        remove() {
            line.remove();
        },
    };
}

/**
 * @param {Element} element
 * @param {readonly {text: string, isStrong?: boolean}[]} parts
 */
function updateParts(element, parts) {
    const text = parts.map((part) => part.text).join("");
    if (element.textContent === text) return;
    element.replaceChildren(...parts.map((part) => part.isStrong ? h("strong", null, part.text) : part.text));
}

/**
 * @param {Element} chips
 * @param {AirModel} model
 * @param {(device: string) => void} pick
 */
function updateChips(chips, model, pick) {
    set(chips, "aria-label", model.chooseLabel);
    set(chips, "hidden", model.devices.length === 0);
    const known = new Map([...chips.children].map((chip) => [chip.getAttribute("data-device"), chip]));
    const next = model.devices.map((device) => {
        const chip = known.get(device.id) ??
            h(
                "button",
                { class: "air-chip", type: "button", "data-device": device.id, onclick: () => pick(device.id) },
                h("span", { class: "air-chip-shape" }),
                h("span"),
            );
        set(chip, "aria-pressed", device.isCurrent ? "true" : "false");
        set(chip, "aria-label", device.label);
        setShape(chip.children[0], device.shape);
        setText(chip.children[1], device.name);
        return chip;
    });
    if (next.some((chip, index) => chips.children[index] !== chip) || chips.children.length !== next.length) {
        chips.replaceChildren(...next);
    }
}
