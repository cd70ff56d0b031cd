/** The way over a cable: the port, the network and its password, and then what the probe makes of them. */

import { h } from "../../page/dom.js";
import { createButton } from "../button/button.js";
import { createField } from "../field/field.js";
import { createProblem } from "../page/page.js";
import { createChoices } from "../picker/choice.js";
import { createShape } from "../shape/shape.js";
import { openProbe, ProbeFault } from "./probe.js";
import { settingsText } from "./settings-text.js";

/** @typedef {import("./probe.js").Probe} Probe */
/** @typedef {import("./probe.js").Network} Network */
/** @typedef {{requestPort: () => Promise<import("./probe.js").Port>}} Ports */

/** So often, and so many times, the probe is asked whether the broker has taken it. */
const interval = 1_000;
const looks = 30;

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("./setup.js").SetUpDevice} device
 * @param {string | null} authority Of the broker (PEM).
 * @param {Ports} ports
 * @returns {import("./setup.js").Way}
 */
export function createUSBWay(context, device, authority, ports) {
    const { t } = context;
    const { id, host, port = 8883, tls = true, password } = device;
    const isWhole = Boolean(host) && password !== null;
    const problem = createProblem();
    const body = h("div", { class: "setup-way" });
    const element = h("div", { class: "setup-way" }, body, problem.element);
    /** @type {Probe | null} */
    let probe = null;
    let hasEnded = false;

    function begin() {
        const button = createButton({ text: t("setup.usb_choose"), busyText: t("setup.usb_opening"), kind: "primary", isLarge: true, press: connect });
        body.replaceChildren(h("p", null, t("setup.usb_lead")), button.element);
    }

    async function connect() {
        problem.show("");
        let port;
        try {
            port = await ports.requestPort();
        } catch (error) {
            // A list that was closed tells its reader enough.
            if (!(error instanceof DOMException && error.name === "NotFoundError")) problem.show(t("setup.fault_port"));
            return;
        }
        await tried(async () => {
            await probe?.close();
            probe = await openProbe(port);
            // The sheet was closed meanwhile.
            if (hasEnded) return await probe.close();
            const isJoined = await probe.isJoined();
            const networks = await probe.networks().catch((error) => {
                if (error instanceof ProbeFault && error.code === "lost") throw error;
                return [];
            });
            ask(isJoined, networks);
        });
    }

    /**
     * @param {boolean} isJoined
     * @param {Network[]} networks
     */
    function ask(isJoined, networks) {
        const name = createField({ label: t("setup.network"), name: "network", type: "text", maxlength: 32, onInput: () => choices.show(name.value) });
        const key = createField({
            label: t("setup.network_password"),
            name: "network-password",
            type: "password",
            maxlength: 64,
            reveal: { show: t("setup.password_show"), hide: t("setup.password_hide") },
        });
        const choices = createChoices({
            label: t("setup.networks"),
            options: networks.map(({ name, isSecured }) => ({ value: name, text: name, detail: isSecured ? undefined : t("setup.network_open") })),
            value: null,
            onChoose(chosen) {
                name.value = chosen;
                choices.show(chosen);
                key.focus();
            },
        });
        const button = createButton({ text: t("setup.do"), busyText: t("setup.doing"), kind: "primary", isLarge: true, isSubmit: true });
        const form = h("form", { class: "form", novalidate: true }, h("div", { class: "setup-networks", hidden: networks.length === 0 }, choices.element), name.element, key.element, button.element);
        form.addEventListener("submit", async (event) => {
            event.preventDefault();
            if (button.isBusy) return;
            if (name.value === "") {
                name.setFault({ what: t("setup.network_missing") });
                return name.focus();
            }
            const length = new TextEncoder().encode(key.value).length;
            if (length > 0 && length < 8) {
                key.setFault({ what: t("setup.password_short") });
                return key.focus();
            }
            button.setBusy(true);
            await tried(() => setUp(name.value, key.value), (fault) => {
                if (fault !== "network") return false;
                key.setFault({ what: t("setup.fault_network"), todo: t("setup.fault_network_todo") });
                key.focus();
                return true;
            });
            button.setBusy(false);
        });
        const kept = isJoined && isWhole
            ? createButton({ text: t("setup.keep_network"), kind: "text", press: () => tried(() => setUp(null, "")) })
            : null;
        body.replaceChildren(h("p", null, t(isWhole ? "setup.usb_network" : "setup.usb_network_alone")), form, ...(kept ? [kept.element] : []));
        (networks.length ? choices.element.querySelector("button") : name)?.focus();
    }

    /**
     * @param {string | null} network null: the one that it has.
     * @param {string} key
     */
    async function setUp(network, key) {
        const text = isWhole ? settingsText({ id, password: password ?? "", host: host ?? "", port, tls }, authority) : null;
        if (isWhole && text === null) return problem.show(t("setup.too_long"));
        if (!probe) return;
        if (network !== null) await probe.join(network, key);
        if (text !== null) await probe.give(text);
        tell("joined");
        for (let left = looks; left > 0 && !hasEnded; left--) {
            const { broker, access } = await probe.standing();
            if (broker === "none") return tell("joined", access);
            if (broker === "connected") return tell("connected", access);
            if (broker === "refused") return tell("refused", access);
            await new Promise((resolve) => setTimeout(resolve, interval));
        }
        if (!hasEnded) tell("unreachable");
    }

    /**
     * @param {"joined" | "connected" | "refused" | "unreachable"} how
     * @param {import("./probe.js").Standing["access"]} [access]
     */
    function tell(how, access) {
        const isGood = how === "connected" || how === "joined";
        const again = how === "joined" ? null : createButton({ text: t(how === "connected" ? "setup.another_port" : "common.retry"), press: connect });
        body.replaceChildren(
            h("p", { class: "setup-end", role: "status", tabindex: "-1" }, createShape(isGood ? "fine" : "fault"), h("span", null, t(`setup.end_${how}`, { host: host ?? "" }))),
            access?.name ? h("p", { class: "quiet" }, t("setup.label", { network: access.name, password: access.password })) : "",
            again?.element ?? "",
        );
        body.querySelector("p")?.focus();
    }

    /**
     * @param {() => Promise<unknown>} act
     * @param {(code: import("./probe.js").FaultCode) => boolean} [taken] Whether a fault was told already.
     */
    async function tried(act, taken = () => false) {
        problem.show("");
        try {
            await act();
        } catch (error) {
            if (hasEnded) return;
            const code = error instanceof ProbeFault ? error.code : "silent";
            if (taken(code)) return;
            problem.show(t(`setup.fault_${code}`));
            if (code === "lost" || code === "silent") {
                await probe?.close();
                probe = null;
                begin();
            }
        }
    }

    begin();
    return {
        element,
        end() {
            hasEnded = true;
            void probe?.close();
        },
    };
}
