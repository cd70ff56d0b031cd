/** The camera, reading the symbol on a device's label, where the browser can read such symbols by itself. */

import { h } from "../../../page/dom.js";

const formats = ["qr_code", "data_matrix", "code_128"];
const interval = 250;

/** Whether this browser reads symbols, and there is a camera to ask for. */
export async function mayScan() {
    const detector = Reflect.get(globalThis, "BarcodeDetector");
    if (!detector || !navigator.mediaDevices?.getUserMedia) return false;
    try {
        const supported = await detector.getSupportedFormats();
        return formats.some((format) => supported.includes(format));
    } catch {
        return false;
    }
}

/**
 * @param {object} model
 * @param {string} model.hint
 * @param {(text: string) => void} model.onText
 * @param {() => void} model.onRefused The person or the system does not lend the camera.
 */
export function createScanner({ hint, onText, onRefused }) {
    const video = h("video", { class: "scan-video", playsinline: true, muted: true });
    const element = h(
        "div",
        { class: "scan" },
        video,
        h("div", { class: "scan-frame", "aria-hidden": "true" }),
        h("p", { class: "scan-hint small" }, hint),
    );
    /** @type {MediaStream | null} */
    let stream = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    let isWanted = false;
    let last = "";

    async function look() {
        const detector = new (Reflect.get(globalThis, "BarcodeDetector"))({ formats });
        const once = async () => {
            if (!stream) return;
            try {
                const found = video.readyState >= 2 ? await detector.detect(video) : [];
                const text = found[0]?.rawValue ?? "";
                if (text !== "" && text !== last && isWanted) {
                    last = text;
                    onText(text);
                }
            } catch {
                // A frame that cannot be read is followed by another.
            }
            if (stream) timer = setTimeout(once, interval);
        };
        await once();
    }

    function stop() {
        isWanted = false;
        clearTimeout(timer);
        for (const track of stream?.getTracks() ?? []) track.stop();
        stream = null;
        video.srcObject = null;
    }

    return {
        element,
        async start() {
            isWanted = true;
            last = "";
            try {
                const camera = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" }, audio: false });
                if (!isWanted) return camera.getTracks().forEach((track) => track.stop());
                stream = camera;
                video.srcObject = camera;
                await video.play();
                await look();
            } catch {
                if (isWanted) onRefused();
                stop();
            }
        },
        stop,
    };
}
