/**
 * The tiles below a map.
 *
 * Their server is told the origin of this service and nothing of the page: some servers refuse those who say nothing, and nobody needs to know more.
 */

import { addressOf, tilesOf } from "../../drawing/mercator.js";
import { h, set } from "../../page/dom.js";

/** @typedef {import("../../drawing/mercator.js").View} View */
/** @typedef {import("../../drawing/mercator.js").Size} Size */
/** @typedef {import("../../drawing/mercator.js").Point} Point */

/**
 * @param {import("./map.js").MapSource} source
 * @param {() => void} onFailure No picture came.
 */
export function createGround(source, onFailure) {
    const element = h("div", { class: "map-ground", "aria-hidden": "true" });
    /** @type {Map<string, HTMLImageElement>} */
    const tiles = new Map();
    let hasLoaded = false;

    /** @param {import("../../drawing/mercator.js").Tile} tile */
    function request(tile) {
        const image = h("img", { class: "map-tile", alt: "", draggable: "false", decoding: "async" });
        image.referrerPolicy = "strict-origin";
        image.addEventListener("load", () => {
            hasLoaded = true;
            set(image, "data-here", true);
        });
        image.addEventListener("error", () => {
            if (!image.isConnected) return;
            const all = [...tiles.values()];
            set(image, "data-missing", true);
            // Where the service's own map has nothing there are lines.
            if (!source.own && !hasLoaded && all.every((other) => other.hasAttribute("data-missing"))) onFailure();
        });
        image.src = addressOf(source.tiles, tile);
        element.append(image);
        return image;
    }

    return {
        element,
        /**
         * @param {View} view
         * @param {Size} size
         * @param {Point} [shift] By which a drag has moved all that is drawn: tiles that stand already go with it.
         */
        draw(view, size, shift) {
            const wanted = new Set();
            for (const tile of tilesOf(view, size, source.own ?? undefined)) {
                // A narrow earth is seen more than once.
                const key = `${tile.z}/${tile.x}/${tile.y} ${Math.round((tile.left + view.x * 2 ** tile.z * tile.size) / tile.size)}`;
                wanted.add(key);
                const known = tiles.get(key);
                if (known && shift) continue;
                const image = known ?? request(tile);
                tiles.set(key, image);
                const side = `${Math.ceil(tile.size)}px`;
                image.style.width = side;
                image.style.height = side;
                image.style.transform = `translate(${(tile.left - (shift?.x ?? 0)).toFixed(2)}px, ${(tile.top - (shift?.y ?? 0)).toFixed(2)}px)`;
            }
            for (const [key, image] of tiles) {
                if (wanted.has(key)) continue;
                image.src = "";
                image.remove();
                tiles.delete(key);
            }
        },
        /** Asks for nothing any more. */
        remove() {
            for (const image of tiles.values()) image.src = "";
        },
    };
}
