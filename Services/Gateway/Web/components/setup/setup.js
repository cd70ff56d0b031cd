/**
 * Setting a probe up: over a cable, by the page of its own access point, or by a text for other firmware. Its key is in this window's memory
 * alone, and leaves it for the probe, the clipboard or a file, when somebody says so.
 */

import { h } from "../../page/dom.js";
import { createList, createRow } from "../list-row/list-row.js";
import { createProblem } from "../page/page.js";
import { openChoice } from "../picker/choice.js";
import { createSegmented } from "../segmented/segmented.js";
import { createAccessWay } from "./access.js";
import { createText } from "./text.js";
import { createUSBWay } from "./usb.js";

/** @typedef {import("../../app/context.js").Context} Context */

/**
 * @typedef {object} SetUpDevice
 * @property {string} id
 * @property {string} name
 * @property {string | null} [firmware] As the list of devices had it; null: whatever is chosen here.
 * @property {string | null} password null: a device that exists, whose key nobody here knows.
 * @property {string | null} [host] Where it reaches the broker; null without a password.
 * @property {number} [port]
 * @property {boolean} [tls]
 */

/** @typedef {{title: string, file: string | null, text: string, authority: string | null}} Setup What the service says of a firmware. */
/** @typedef {{element: HTMLElement, end: () => void}} Way */

/** The names that their makers gave them; the first is AquaMonitor's own. */
const firmwares = {
    sketch: null,
    esphome: "ESPHome",
    tasmota: "Tasmota",
    zigbee2mqtt: "Zigbee2MQTT",
    shelly: "Shelly Plus, Pro, Gen3",
    "shelly-gen1": "Shelly 1, 1PM",
    "reef-pi": "reef-pi",
    senml: "SenML",
    sensorthings: "SensorThings",
    native: null,
};

/** @typedef {keyof typeof firmwares} FirmwareName */

/**
 * @param {Context} context
 * @param {SetUpDevice} device
 */
export function openSetup(context, device) {
    const { t, api } = context;
    const problem = createProblem({ text: t("common.retry"), press: () => void show(firmware) });
    const place = h("div", { class: "setup", "aria-live": "polite" });
    const row = createRow({ name: t("setup.firmware"), value: "", press: choose });
    /** @type {Way | null} */
    let way = null;
    let hasEnded = false;
    let firmware = /** @type {FirmwareName} */ (device.firmware && device.firmware !== "native" && device.firmware in firmwares ? device.firmware : "sketch");

    const sheet = context.sheet({
        title: t("setup.title", { name: device.name }),
        lead: device.password === null ? t("setup.no_key") : undefined,
        body: [createList(row.element), problem.element, place],
        onClose() {
            hasEnded = true;
            way?.end();
        },
    });

    /** @param {FirmwareName} name */
    const nameOf = (name) => firmwares[name] ?? t(`setup.firmware_${name}`);

    function choose() {
        const names = /** @type {FirmwareName[]} */ (Object.keys(firmwares));
        openChoice(context, {
            title: t("setup.firmware"),
            options: names.map((name) => ({ value: name, text: nameOf(name) })),
            value: firmware,
            onChoose: (chosen) => show(/** @type {FirmwareName} */ (chosen)),
        });
    }

    /** @param {FirmwareName} next */
    async function show(next) {
        firmware = next;
        row.update({ value: nameOf(next) });
        problem.show("");
        replace(null);
        // For the network alone nothing of the service is needed.
        if (next === "sketch" && device.password === null) return showWays(null);
        try {
            const { data } = await api.get(`/enrolment/setup/${next === "sketch" ? "native" : next}`, { query: { device: device.id } });
            if (hasEnded || firmware !== next) return;
            if (next === "sketch") showWays(data.authority);
            else replace(createText(context, device, next, data));
        } catch (error) {
            if (!hasEnded && firmware === next) problem.show(context.explain(error));
        }
    }

    /** @param {string | null} authority */
    function showWays(authority) {
        const port = "serial" in navigator ? /** @type {import("./usb.js").Ports} */ (navigator.serial) : null;
        /** @param {"usb" | "access"} chosen */
        const made = (chosen) => chosen === "usb" && port ? createUSBWay(context, device, authority, port) : createAccessWay(context, device, authority, port !== null);
        /** @type {"usb" | "access"} */
        const first = port ? "usb" : "access";
        const segmented = port
            ? createSegmented({
                label: t("setup.way"),
                options: [{ value: "usb", text: t("setup.way_usb") }, { value: "access", text: t("setup.way_access") }],
                value: first,
                onChoose: (chosen) => replace(made(chosen), segmented?.element),
            })
            : null;
        replace(made(first), segmented?.element);
    }

    /**
     * @param {Way | null} next
     * @param {HTMLElement} [above]
     */
    function replace(next, above) {
        way?.end();
        way = next;
        place.replaceChildren(...[above, next?.element].filter((part) => part !== undefined));
    }

    void show(firmware);
    return { close: sheet.close };
}
