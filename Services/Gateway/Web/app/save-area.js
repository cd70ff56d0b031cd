/** The sheet that asks how near an area of the service's own map is to be kept on this device. */

import { createButton } from "../components/button/button.js";
import { createField } from "../components/field/field.js";
import { createProblem } from "../components/page/page.js";
import { createSegmented } from "../components/segmented/segmented.js";
import { depthsOf, within } from "../drawing/areas.js";
import { h, setText } from "../page/dom.js";
import { megabytes } from "../words/megabytes.js";
import { areasOf, mostBytes, NoRoom } from "./areas.js";

const longest = 64;
/** What a page takes, about, in bytes. */
const pageBytes = 20_000;

/**
 * @param {import("./context.js").Context} context
 * @param {object} model
 * @param {import("../components/map/map.js").MapSource} model.source A map of the service's own.
 * @param {import("../drawing/areas.js").Bounds} model.bounds
 * @param {number} model.zoom How near it is shown.
 * @param {string} [model.name] What it is called, such as the zone's name.
 * @param {readonly string[]} [model.pages] Paths of the API, with their queries, whose answers are kept as well.
 */
export function openSaveArea(context, { source, bounds, zoom, name = "", pages = [] }) {
    const { t, toast } = context;
    const area = source.own ? within(bounds, source.own) : null;
    if (!source.own || !area) return void toast({ text: t("maps.outside") });
    open(context, { ...source, own: source.own }, { area, zoom, name, pages });
}

/**
 * @param {import("./context.js").Context} context
 * @param {import("../components/map/map.js").MapSource & {own: import("../drawing/areas.js").Extent}} source
 * @param {{area: import("../drawing/areas.js").Bounds, zoom: number, name: string, pages: readonly string[]}} wish
 */
function open(context, { own, tiles }, { area, zoom, name, pages }) {
    const { t, format, navigate } = context;
    const areas = areasOf(context);
    // What is too much anyway is no choice.
    const depths = depthsOf(area, zoom, own).filter(({ bytes }, index) => index === 0 || bytes <= mostBytes);
    let chosen = depths[0];
    const field = createField({ label: t("maps.name"), name: "name", value: name || format.date(Date.now()), maxlength: longest });
    const names = ["as_shown", "closer", "closest"];
    const depth = createSegmented({
        label: t("maps.depth"),
        options: depths.map(({ most }, index) => ({ value: String(most), text: t(`maps.${most === own.mostZoom && index > 0 ? "closest" : names[index]}`) })),
        value: String(chosen.most),
        onChoose(value) {
            chosen = depths.find(({ most }) => String(most) === value) ?? chosen;
            tell();
        },
    });
    const size = h("p", { class: "quiet", "aria-live": "polite" });
    const problem = createProblem();
    const save = createButton({ text: t("maps.keep"), kind: "primary", press: keep });
    const sheet = context.sheet({
        title: t("maps.save"),
        lead: t(pages.length > 0 ? "maps.lead_zone" : "maps.lead"),
        body: [field.element, depths.length > 1 ? depth.element : null, size, problem.element, save.element],
    });

    function tell() {
        setText(size, t("maps.size", { size: megabytes(format, chosen.bytes + pages.length * pageBytes), count: chosen.count, tiles: format.number(chosen.count, 0) }));
    }

    async function keep() {
        problem.show("");
        try {
            await areas.add({
                name: field.value.trim() || format.date(Date.now()),
                bounds: area,
                least: own.leastZoom,
                most: chosen.most,
                tiles,
                expected: chosen.bytes + pages.length * pageBytes,
                pages,
            });
            sheet.close();
            void navigate("/saved-maps");
        } catch (error) {
            problem.show(error instanceof NoRoom ? t(`maps.${error.reason}`) : context.explain(error));
        }
    }

    tell();
}
