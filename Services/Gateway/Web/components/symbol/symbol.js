/**
 * The icons of tabs, rows and fields: strokes on a grid of 24. All of them stand beside words or have a name elsewhere.
 */

import { brand } from "../../lang/languages.js";
import { h, svg } from "../../page/dom.js";

/** @type {Record<string, string[]>} */
const strokes = {
    water: ["M7.2 17.4a7.4 7.4 0 1 1 9.6 0", "M12 12h.01"],
    alerts: ["M6 10.5a6 6 0 0 1 12 0c0 4 1.4 5.6 2 6.5H4c.6-.9 2-2.5 2-6.500z", "M10 20.500h4"],
    care: ["M6.500 5.500h11A2.500 2.500 0 0 1 20 8v9.500a2.500 2.500 0 0 1-2.500 2.500h-11A2.500 2.500 0 0 1 4 17.500V8a2.500 2.500 0 0 1 2.500-2.500z", "M8 3.500v4M16 3.500v4", "M8.500 13.500l2.500 2.500 4.500-5"],
    devices: ["M4 4.500v12a3.5 3.5 0 0 0 3.5 3.500h9a3.5 3.5 0 0 0 3.5-3.500v-12", "M4 11h16"],
    settings: ["M4 8h9M19 8h1M4 16h1M11 16h9", "M18.5 8a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z", "M10.5 16a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z"],
    plus: ["M12 5v14M5 12h14"],
    minus: ["M5 12h14"],
    close: ["M6 6l12 12M18 6 6 18"],
    check: ["M5 12.500l4.5 4.500L19 7.5"],
    eye: ["M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z", "M15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0z"],
    eyeOff: ["M4 4l16 16", "M9.5 5.900A9 9 0 0 1 12 5.500c6 0 9.5 6.5 9.5 6.500a16 16 0 0 1-2.7 3.400M6 7.700A15.5 15.5 0 0 0 2.5 12S6 18.5 12 18.500a9 9 0 0 0 4-.9"],
    scan: ["M4 8V5.500A1.5 1.5 0 0 1 5.5 4H8M16 4h2.500A1.5 1.5 0 0 1 20 5.500V8M20 16v2.500a1.5 1.5 0 0 1-1.5 1.500H16M8 20H5.500A1.5 1.5 0 0 1 4 18.500V16", "M8 12h8"],
    phone: ["M8 3.500h8a1.5 1.5 0 0 1 1.5 1.500v14a1.5 1.5 0 0 1-1.5 1.500H8A1.5 1.5 0 0 1 6.5 19V5A1.5 1.5 0 0 1 8 3.500z", "M11 17.500h2"],
    link: ["M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.300l-1 1", "M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.700l1-1"],
    message: ["M6.5 5h11A2.5 2.5 0 0 1 20 7.500v7a2.5 2.5 0 0 1-2.5 2.500H11l-4.5 3.500V17A2.5 2.5 0 0 1 4 14.500v-7A2.5 2.5 0 0 1 6.500 5z", "M8.500 9.500h7M8.500 12.800h4"],
    plane: ["M20.5 4 3.5 10.500l6.500 3 3 6.500z", "M10 13.500 20.500 4"],
    mail: ["M6 5.5h12A2 2 0 0 1 20 7.500v9a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2z", "M4.5 8l7.5 5.500L19.5 8"],
    clock: ["M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16z", "M12 8v4.500l3 1.5"],
    moon: ["M19.500 14.500A8 8 0 1 1 9.500 4.500a6.500 6.500 0 0 0 10 10z"],
    share: ["M12 14.500V4M8.5 7 12 3.5 15.5 7", "M8 10.500H6.500A1.5 1.5 0 0 0 5 12v7a1.5 1.5 0 0 0 1.5 1.500h11A1.5 1.5 0 0 0 19 19v-7a1.5 1.5 0 0 0-1.5-1.500H16"],
    addBox: ["M7 4h10a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3H7a3 3 0 0 1-3-3V7a3 3 0 0 1 3-3z", "M12 8.500v7M8.5 12h7"],
    pencil: ["M5 19l1-4L16 5l3 3L9 18z"],
    pin: ["M12 21s-6.5-6-6.5-11a6.5 6.5 0 0 1 13 0c0 5-6.5 11-6.5 11z", "M14 10a2 2 0 1 1-4 0 2 2 0 0 1 4 0z"],
    person: ["M16 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0z", "M4.5 20c1-4 4-5.5 7.5-5.500s6.5 1.5 7.5 5.5"],
    people: ["M12.500 8.500a3.500 3.500 0 1 1-7 0 3.500 3.500 0 0 1 7 0z", "M3 19.500c.7-3.300 3-4.800 6-4.800s5.300 1.500 6 4.800", "M15.500 5.300a3.500 3.500 0 0 1 0 6.400M17.500 15c1.900.7 3.100 2.200 3.500 4.500"],
    grid: ["M4.500 4.500h6v6h-6zM13.500 4.500h6v6h-6zM4.500 13.500h6v6h-6zM13.500 13.500h6v6h-6z"],
    list: ["M4 6.500h16M4 12h16M4 17.500h16"],
    order: ["M4 7h16M7 12h10M10 17h4"],
    wall: ["M5.500 4.500h13A2.500 2.500 0 0 1 21 7v7.500a2.500 2.500 0 0 1-2.500 2.500h-13A2.500 2.500 0 0 1 3 14.500V7a2.500 2.500 0 0 1 2.500-2.500z", "M8.500 20.500h7"],
    bin: ["M5 7h14M10 7V4.500h4V7M7 7l1 13h8l1-13"],
    download: ["M12 4v10.500M8.5 11.5 12 15l3.5-3.5", "M5 19.500h14"],
    globe: ["M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16z", "M4 12h16M12 4c4.5 4.5 4.5 11.5 0 16M12 4c-4.5 4.5-4.5 11.5 0 16"],
};

/** @typedef {keyof typeof strokes} SymbolName */

/**
 * @param {string} name
 * @param {string} [className]
 */
export function createSymbol(name, className = "") {
    return svg(
        "svg",
        { class: `icon symbol-${name} ${className}`.trim(), viewBox: "0 0 24 24", "aria-hidden": "true" },
        ...strokes[name].map((d, index) =>
            svg("path", { d, class: name === "water" && index === 1 ? "symbol-bead" : null })
        ),
    );
}

/** The mark of the app: the installation's logo, or a ring that is open below, with a bead. */
export function createMark() {
    if (brand.logo) return h("img", { class: "mark", src: brand.logo, alt: "" });
    return svg(
        "svg",
        { class: "mark", viewBox: "0 0 64 64", "aria-hidden": "true" },
        svg("rect", { class: "mark-ground", width: 64, height: 64, rx: 15 }),
        svg("path", { class: "mark-ring", d: "M20.7 43.300a16 16 0 1 1 22.6 0" }),
        svg("circle", { class: "mark-bead", cx: 32, cy: 32, r: 6 }),
    );
}
