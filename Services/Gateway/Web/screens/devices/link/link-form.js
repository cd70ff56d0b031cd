/** Linking a device by its claim code: typed, pasted or scanned; what lives in it with its limits; each refusal with what to do. */

import { createButton } from "../../../components/button/button.js";
import { createField } from "../../../components/field/field.js";
import { createProblem } from "../../../components/page/page.js";
import { createKept } from "../../../components/presets/kept.js";
import { createSegmented } from "../../../components/segmented/segmented.js";
import { createSymbol } from "../../../components/symbol/symbol.js";
import { h } from "../../../page/dom.js";
import { codeIn, isWhole, tidied } from "../../../words/claim-code.js";
import { isProblem } from "../../../words/problem.js";
import { createScanner, mayScan } from "./scanner.js";

/** Refusals that are about the code. */
const refusals = new Set(["claim-code-unknown", "device-taken", "device-already-yours"]);

/** @param {import("../../../app/context.js").Context} context */
export function createLinkForm(context) {
    const { t, api, store } = context;
    const code = createField({
        label: t("devices.code"),
        name: "code",
        placeholder: "7KQ2-M8XD-0R4T",
        isCode: true,
        // A label's address brings it along.
        value: codeIn(location.hash) ?? "",
        onInput: tidy,
    });
    const name = createField({ label: t("devices.name"), name: "name", placeholder: t("devices.name_example"), maxlength: 64 });
    const kept = createKept(context);
    const problem = createProblem();
    const button = createButton({
        text: t("devices.link_do"),
        busyText: t("devices.linking"),
        kind: "primary",
        isLarge: true,
        isSubmit: true,
    });
    const scanPlace = h("div", { hidden: true });
    const instead = h("p", null, h("a", { class: "button button-text", href: "/devices/place" }, createSymbol("pin"), t("sites.instead")));
    const form = h("form", { class: "form", novalidate: true }, code.element, name.element, ...kept.elements, problem.element, button.element);
    const element = h("div", { class: "link-device" }, h("p", { class: "quiet" }, t("devices.code_where")), scanPlace, form, instead);

    const scanner = createScanner({
        hint: t("devices.scan_hint"),
        onText(text) {
            const found = codeIn(text);
            if (!found) return code.setFault({ what: t("devices.scan_other"), todo: t("devices.scan_otherTodo") });
            code.value = found;
            code.setFault(null);
            choice?.show("type");
            choose("type");
            name.focus();
        },
        onRefused: () => code.setFault({ what: t("devices.scan_refused"), todo: t("devices.scan_refusedTodo") }),
    });
    scanPlace.append(scanner.element);
    /** @type {ReturnType<typeof createSegmented<"scan" | "type">> | null} */
    let choice = null;
    let hasEnded = false;
    mayScan().then((may) => {
        if (!may || hasEnded) return;
        choice = createSegmented({
            label: t("devices.how"),
            options: [{ value: "type", text: t("devices.type") }, { value: "scan", text: t("devices.scan") }],
            value: "type",
            onChoose: choose,
        });
        element.insertBefore(choice.element, scanPlace);
    });

    /** @param {"scan" | "type"} way */
    function choose(way) {
        scanPlace.hidden = way !== "scan";
        if (way === "scan") scanner.start();
        else scanner.stop();
    }

    /** Groups the letters as they are printed; the cursor stays behind the same letter. */
    function tidy() {
        const { input } = code;
        const isAtEnd = input.selectionStart === input.value.length;
        const before = tidied(input.value.slice(0, input.selectionStart ?? input.value.length));
        const text = tidied(input.value);
        if (text === input.value) return;
        input.value = text;
        if (!isAtEnd) input.setSelectionRange(before.length, before.length);
    }

    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (button.isBusy) return;
        problem.show("");
        if (!isWhole(code.value)) {
            code.setFault({ what: t("devices.code_short"), todo: t("devices.code_shortTodo") });
            return code.focus();
        }
        if (name.value.trim() === "") {
            name.setFault({ what: t("devices.name_missing"), todo: t("devices.name_todo") });
            return name.focus();
        }
        // Limits of other water alarm, and what they advise is wrong: there are none that suit everybody.
        if (kept.preset() === null) return kept.ask();
        button.setBusy(true);
        try {
            const { data } = await api.post("/devices", {
                claimCode: code.value,
                name: name.value.trim(),
                preset: kept.preset() || null,
            }, { once: true });
            await store.refresh().catch(() => {});
            store.choose(data.id);
            // A few questions more make the limits fit; whoever skips them has those that were chosen.
            await context.navigate(`/devices/${encodeURIComponent(data.id)}/questions?linked=${encodeURIComponent(kept.preset() ?? "")}`, { replace: true });
        } catch (error) {
            refuse(error);
        } finally {
            button.setBusy(false);
        }
    });

    /** @param {unknown} error */
    function refuse(error) {
        if (isProblem(error) && refusals.has(error.code)) {
            code.setFault({ what: t(`devices.refused_${error.code}`), todo: t(`devices.refused_${error.code}_todo`) });
            navigator.vibrate?.(60);
            return code.focus();
        }
        const fault = isProblem(error) ? error.faultOf("name") : null;
        if (fault) {
            name.setFault({ what: fault.detail });
            return name.focus();
        }
        problem.show(context.explain(error));
    }

    return {
        element,
        end() {
            hasEnded = true;
            scanner.stop();
        },
    };
}
