/**
 * The tiles of all tanks, in groups where there are very many: made a few in each frame, so that no frame is long.
 */

import { createTile } from "../../../components/tile/tile.js";
import { h, set, setText } from "../../../page/dom.js";
import { createKeyed } from "../../../page/keyed.js";
import { isMadeOf } from "../../../page/signals.js";

/** @typedef {import("../../../components/tile/tile.js").TileModel} TileModel */
/** @typedef {{parts: unknown[], id: string, make: () => TileModel}} Piece A tile, made anew where its parts differ. */
/** @typedef {{id: string, name: string, note: string, isOpen: boolean, pieces: readonly Piece[]}} Group */

/** So many tiles a frame, from the one after the rest of the screen on. */
const stride = 12;

/**
 * @param {object} parts
 * @param {(id: string) => void} parts.open
 */
export function createTiles({ open }) {
    const element = h("div", { class: "tanks-groups" });
    /** So many tiles may be there by now. */
    let most = 0;
    let frame = 0;
    const updateGroups = createKeyed(element, (/** @type {Group} */ { id }) => id, createGroup);

    function createGroup() {
        const name = h("span", { class: "tanks-group-name" });
        const note = h("span", { class: "small quiet" });
        const head = h("summary", { class: "tanks-group" }, name, note);
        const list = h("ul", { class: "tiles" });
        const group = h("details", { open: true }, head, list);
        const updateTiles = createKeyed(list, (/** @type {Piece} */ { id }) => id, createPiece);
        let isFirst = true;
        return {
            element: group,
            /** @param {Group} model */
            update(model) {
                set(head, "hidden", model.name === "");
                setText(name, model.name);
                setText(note, model.note);
                set(list, "data-layout", layout);
                if (isFirst || model.name === "") set(group, "open", model.isOpen);
                isFirst = false;
                updateTiles(model.pieces);
            },
            remove: () => updateTiles([]),
        };
    }

    function createPiece() {
        const tile = createTile(open);
        /** @type {unknown[]} */
        let drawn = [];
        return {
            ...tile,
            /** @param {Piece} piece */
            update({ parts, make }) {
                if (isMadeOf(drawn, parts)) return;
                drawn = parts;
                tile.update(make());
            },
        };
    }

    /** @type {'grid' | 'list'} */
    let layout = "grid";
    /** @type {readonly Group[]} */
    let groups = [];

    /** Makes what there is time for, and goes on in the next frame. */
    function draw() {
        let left = most;
        const count = groups.reduce((sum, { pieces }) => sum + pieces.length, 0);
        updateGroups(groups.map((group) => {
            const pieces = group.pieces.slice(0, left);
            left -= pieces.length;
            return { ...group, pieces };
        }));
        set(element, "data-waiting", count > most);
        if (count <= most || frame !== 0) return;
        frame = requestAnimationFrame(() => {
            frame = 0;
            most += stride;
            draw();
        });
    }

    return {
        element,
        /**
         * @param {readonly Group[]} next
         * @param {'grid' | 'list'} how
         */
        update(next, how) {
            groups = next;
            layout = how;
            draw();
        },
        remove() {
            cancelAnimationFrame(frame);
            updateGroups([]);
        },
    };
}
