/** Finds where a person stands, and says how sure that is while it becomes surer. It asks the browser only when it is pressed. */

import { h, set, setText } from "../../page/dom.js";
import { watchPosition } from "../../page/position.js";
import { doubtful, settled } from "../../water/field/place.js";
import { createButton } from "../button/button.js";

/** @typedef {import("../../water/field/draft.js").Position} Position */
/** @typedef {import("../../water/field/place.js").PlaceFix} PlaceFix */

/** After so long, and at so few metres, it becomes no surer. */
const patience = 60_000;
const sure = 4;
/** So many fixes are kept meanwhile. */
const most = 120;

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} model
 * @param {string} model.text Of the button.
 * @param {Position | null} model.position
 * @param {(position: Position) => void} model.found As it is at each moment.
 */
export function createPlaceFinder(context, { text, position, found }) {
    const { t, format } = context;
    const said = h("p", { class: "small quiet", role: "status" });
    const button = createButton({ text, kind: "outlined", press: () => isFinding ? end() : begin() });
    const element = h("div", { class: "field-finder" }, button.element, said);
    /** @type {PlaceFix[]} */
    let fixes = [];
    let isFinding = false;
    let endWatch = () => {};
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;

    function begin() {
        fixes = [];
        isFinding = true;
        button.setText(t("field.find_enough"));
        set(said, "data-poor", null);
        setText(said, t("field.finding"));
        timer = setTimeout(end, patience);
        endWatch = watchPosition((fix) => {
            fixes = [...fixes, fix].slice(-most);
            const next = settled(fixes);
            if (!next) return;
            position = next;
            found(next);
            show();
            if ((next.accuracy ?? Infinity) <= sure) end();
        }, (why) => {
            if (fixes.length > 0) return;
            end();
            setText(said, t(`field.find_${why}`));
        });
    }

    function end() {
        if (!isFinding) return;
        isFinding = false;
        clearTimeout(timer);
        endWatch();
        button.setText(text);
        show();
    }

    function show() {
        if (!position) return;
        const { latitude, longitude, accuracy } = position;
        const place = `${format.number(latitude, 5)}°, ${format.number(longitude, 5)}°`;
        const more = accuracy === null
            ? ""
            : t(isFinding ? "field.accuracy_better" : accuracy > doubtful ? "field.accuracy_poor" : "field.accuracy", { metres: accuracy });
        set(said, "data-poor", !isFinding && (accuracy ?? 0) > doubtful);
        setText(said, [place, more].filter((part) => part !== "").join(" · "));
    }

    show();
    return {
        element,
        end,
        /** @param {Position | null} next Said in another way. */
        show(next) {
            end();
            position = next;
            set(said, "data-poor", null);
            setText(said, "");
            show();
        },
    };
}
