/** All tanks where they stand, on a plan or on a map: what draws them comes when somebody looks. */

import { h, set } from "../../../../page/dom.js";
import { withStyles } from "../../../../page/late.js";
import { isMadeOf } from "../../../../page/signals.js";

/** @typedef {import("../../../../app/context.js").Context} Context */
/** @typedef {import("../../../../components/tile/tile.js").TileModel} TileModel */
/** @typedef {import("../tiles.js").Piece} Piece */
/** @typedef {'plan' | 'map'} Kind */

/**
 * @typedef {object} Drawing What shows tanks in their places.
 * @property {Element} element
 * @property {(models: readonly TileModel[]) => ReadonlySet<string> | null} update Shows tanks, those in trouble first; tells which of them have a
 *     place, or null while that is not known.
 * @property {() => void} remove
 */

/**
 * @typedef {object} Parts
 * @property {import("../view.js").View} view
 * @property {(id: string) => void} open Its water is wanted.
 * @property {() => void} changed Others have a place now, or another plan was chosen.
 */

/** @type {Record<Kind, () => Promise<{createDrawing: (context: Context, parts: Parts) => Drawing}>>} */
const kinds = {
    plan: () => withStyles(import("./plan.js"), "places", "map", "plan"),
    map: () => withStyles(import("./map.js"), "places", "map"),
};

/**
 * @param {Context} context
 * @param {Parts} parts
 */
export function createPlaces(context, parts) {
    const element = h("div", { class: "tanks-places", hidden: true });
    /** @type {Kind | null} */
    let shown = null;
    /** @type {Drawing | null} */
    let drawing = null;
    /** What was made of each tank, and of what. @type {Map<string, {parts: readonly unknown[], model: TileModel}>} */
    let made = new Map();
    let isGone = false;

    /** @param {Kind} kind */
    async function load(kind) {
        try {
            const { createDrawing } = await kinds[kind]();
            if (isGone || shown !== kind) return;
            drawing = createDrawing(context, parts);
            element.replaceChildren(drawing.element);
            parts.changed();
        } catch {
            if (!isGone && shown === kind) element.replaceChildren(h("p", { class: "rows-note" }, context.t("common.failed")));
        }
    }

    return {
        element,
        /**
         * @param {Kind | null} kind null: tanks are shown otherwise.
         * @param {readonly Piece[]} pieces Those in trouble first.
         * @returns {ReadonlySet<string> | null} The tanks that have a place; null: nobody knows yet.
         */
        update(kind, pieces) {
            set(element, "hidden", kind === null);
            if (kind !== shown) {
                shown = kind;
                drawing?.remove();
                drawing = null;
                element.replaceChildren();
                if (kind) void load(kind);
            }
            if (!drawing) return null;
            const former = made;
            made = new Map(pieces.map((piece) => {
                const had = former.get(piece.id);
                return [piece.id, had && isMadeOf(had.parts, piece.parts) ? had : { parts: piece.parts, model: piece.make() }];
            }));
            return drawing.update([...made.values()].map(({ model }) => model));
        },
        remove() {
            isGone = true;
            drawing?.remove();
        },
    };
}
