/** One device: its name, its place, what it shows itself, who else watches it, and the way out. */

import { chainsOf } from "../../app/chains.js";
import { dryRunOf } from "../../app/dry-run.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { createSubPage } from "../../components/page/page.js";
import { askToSavePreset } from "../../components/presets/new.js";
import { askForPreset } from "../../components/presets/presets.js";
import { h } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { summaryOf } from "../../water/chain.js";
import { mayAct } from "../../water/projects.js";
import { isProblem } from "../../words/problem.js";
import { clockWords } from "./clock.js";
import { createDisplay } from "./display.js";
import { createLife } from "./life.js";
import { createMovement, createTrackRow } from "./movement.js";
import { createNewKey } from "./new-key.js";
import { showPlaces } from "./places.js";
import { createProbes } from "./probes.js";
import { createDevicePage } from "./public.js";
import { askForName, askForPlace } from "./questions.js";
import { createReceivers } from "./receivers.js";
import { createRejects } from "./rejects.js";
import { createSecond } from "./second.js";
import { createSharing } from "./sharing.js";
import { createStanding, createStandingHere } from "./site.js";

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 * @param {Record<string, string>} params
 */
export function mount(root, context, { device: id }) {
    const { t, store, api, format } = context;
    const page = createSubPage(context, { title: "", back: "/devices" });
    root.replaceChildren(...page.parts);
    let shown = "";
    /** @type {{remove: () => void} | null} */
    let sharing = null;
    /** @type {{remove: () => void} | null} */
    let publicPage = null;
    /** @type {{remove: () => void} | null} */
    let newKey = null;
    /** @type {{remove: () => void} | null} */
    let second = null;
    /** @type {{remove: () => void} | null} */
    let receivers = null;
    /** @type {{remove: () => void} | null} */
    let rejects = null;
    /** @type {ReturnType<typeof createProbes> | null} */
    let probes = null;
    /** @type {ReturnType<typeof createLife> | null} */
    let life = null;
    const { of: chainOf, ways } = chainsOf(context);
    const chain = chainOf(id);
    const chainRow = createRow({ name: t("chain.title"), icon: "alerts", href: `/devices/${encodeURIComponent(id)}/chain` });

    /** The chain in one line, once it is known. */
    function tellChain() {
        const { told } = chain.known.value;
        if (told) chainRow.update({ detail: summaryOf(context, told.steps, ways.known.value) });
    }

    function update() {
        const device = store.deviceOf(id);
        const here = device?.kind === "site" ? store.devices.value?.map(({ site, name }) => [site?.id, name]) : [];
        const key = JSON.stringify([device, here, store.devices.value === undefined]);
        if (key === shown) return;
        shown = key;
        sharing?.remove();
        sharing = null;
        publicPage?.remove();
        publicPage = null;
        newKey?.remove();
        newKey = null;
        second?.remove();
        second = null;
        receivers?.remove();
        receivers = null;
        rejects?.remove();
        rejects = null;
        if (probes?.role !== device?.role) {
            probes?.remove();
            probes?.element.remove();
            probes = device && device.kind !== "site" ? createProbes(context, device) : null;
        }
        page.heading.textContent = device?.name ?? (store.devices.value === undefined ? t("common.loading") : t("devices.unknown"));
        context.title(page.heading.textContent);
        if (!device) {
            page.body.replaceChildren(
                ...(store.devices.value === undefined ? [] : [h("p", { class: "quiet" }, t("devices.unknown_text"))]),
            );
            return;
        }
        page.setSubtitle(device.project?.name ?? (device.role === "watcher" ? t("devices.watch") : ""));
        const isSite = device.kind === "site";
        const isPlaced = device.latitude !== null && device.longitude !== null;
        const heard = device.lastReadingAt;
        const clock = device.clock && clockWords(device.clock, context);
        /** @type {HTMLElement[]} */
        const before = [
            createList(
                createRow({ name: t("devices.see"), icon: "water", press: () => see() }).element,
                createRow({ name: t("devices.limits"), icon: "settings", href: `/settings#${encodeURIComponent(device.id)}` }).element,
                ...mayAct(device)
                    ? [
                        createRow({ name: t("devices.preset"), icon: "devices", press: () => askForPreset(context, device, dryRunOf(context)) }).element,
                        createRow({ name: t("presets.save"), icon: "plus", press: () => askToSavePreset(context, device) }).element,
                        createRow({ name: t("questions.title"), icon: "message", href: `/devices/${encodeURIComponent(device.id)}/questions` }).element,
                    ]
                    : [],
                chainRow.element,
                createRow({ name: t("journal.title"), icon: "pencil", href: `/care/journal?tank=${encodeURIComponent(device.id)}` }).element,
                createRow({ name: t("field.title"), icon: "list", href: `/field?device=${encodeURIComponent(device.id)}` }).element,
                createRow({ name: t("journal.inventory"), icon: "addBox", href: `/devices/${encodeURIComponent(device.id)}/inventory` }).element,
                createRow({ name: t("records.report"), icon: "pencil", href: `/devices/${encodeURIComponent(device.id)}/report` }).element,
                ...isSite ? [] : [createRow({ name: t("records.messages"), icon: "message", href: `/devices/${encodeURIComponent(device.id)}/messages` }).element],
                ...isSite ? [createRow({ name: t("station.title"), icon: "globe", href: `/devices/${encodeURIComponent(device.id)}/station` }).element] : [],
                ...device.moves ? [createTrackRow(context, device).element] : [],
                createRow({ name: t("audit.title"), icon: "clock", href: `/settings/account/changes?device=${encodeURIComponent(device.id)}` }).element,
                ...device.role === "owner" && !isSite ? [createRow({ name: t("setup.row"), icon: "settings", press: () => setUp(device) }).element] : [],
            ),
        ];
        if (!isSite) life ??= createLife(context, id);
        const unread = device.role === "owner" && !isSite ? createRejects(context, device) : null;
        rejects = unread;
        const compared = isSite ? null : createSecond(context, device);
        second = compared;
        const sent = createReceivers(context, device);
        receivers = sent;
        /** @type {HTMLElement[]} */
        const after = [
            ...(life && !isSite ? [life.element] : []),
            ...isSite ? createStandingHere(context, device) : [],
            ...(unread ? [unread.element] : []),
            h("h2", { class: "section-head" }, t(isSite ? "devices.place" : "devices.yours")),
            createList(
                createRow({
                    name: t("devices.name"),
                    value: device.name,
                    press: () => askForName(context, device),
                }).element,
                createRow({
                    name: t("devices.place"),
                    value: isPlaced
                        ? `${format.number(device.latitude, 3)}, ${format.number(device.longitude, 3)}`
                        : t("devices.place_none"),
                    press: isSite && device.role !== "owner" ? undefined : () => askForPlace(context, device),
                }).element,
                ...device.role === "owner" || isSite ? [createRow({ name: t("sites.was"), press: () => showPlaces(context, device) }).element] : [],
                ...isSite ? [] : [createRow({
                    name: t("devices.heard"),
                    value: heard ? format.moment(Date.parse(heard)) : t("devices.heard_never"),
                }).element],
                ...(clock ? [createRow({ name: t("devices.clock"), value: clock.value }).element] : []),
                createRow({ name: t("devices.id"), value: device.id }).element,
            ),
            ...(clock ? [h("p", { class: "rows-note" }, clock.note)] : []),
            ...isSite ? [] : [h("p", { class: "rows-note" }, t("devices.yours_note")), ...createStanding(context, device)],
            ...(compared ? [compared.element] : []),
            sent.element,
        ];
        if (device.role === "owner") {
            const own = createSharing(context, device);
            sharing = own;
            const key = isSite ? null : createNewKey(context, device);
            newKey = key;
            const everybodys = createDevicePage(context, device);
            publicPage = everybodys;
            const ofDevice = isSite ? [] : [...createDisplay(context, device), ...createMovement(context, device)];
            after.push(...ofDevice, own.element, everybodys.element, ...(key ? [key.element] : []));
        }
        const remove = createRow({
            name: t(device.role === "owner" ? "devices.remove" : "devices.leave", { name: device.name }),
            icon: "bin",
            isAction: true,
            isGrave: true,
            press: () => part(device),
        });
        // A project's tank is given up by an owner of the project; whoever is a member of it leaves the project, and not one tank.
        if (!device.project || device.role === "owner" && device.project.role === "owner") after.push(h("h2", { class: "section-head" }, t("devices.end")), createList(remove.element));
        showAround(probes?.element, before, after);
    }

    /**
     * What is in the middle stays attached: somebody may have the focus there.
     * @param {HTMLElement | undefined} middle
     * @param {HTMLElement[]} before
     * @param {HTMLElement[]} after
     */
    function showAround(middle, before, after) {
        if (middle?.parentNode !== page.body) return page.body.replaceChildren(...before, ...(middle ? [middle] : []), ...after);
        for (const part of [...page.body.childNodes]) if (part !== middle) part.remove();
        middle.before(...before);
        middle.after(...after);
    }

    function see() {
        store.choose(id);
        context.navigate("/");
    }

    /**
     * Without its key, which nobody keeps.
     * @param {import("../../water/tanks.js").Device} device
     */
    async function setUp({ id, name }) {
        try {
            const { openSetup } = await t.along(import("../../components/setup/setup.js"));
            openSetup(context, { id, name, password: null });
        } catch {
            context.toast({ text: t("common.failed") });
        }
    }

    /** @param {import("../../water/tanks.js").Device} device */
    async function part(device) {
        const isOwner = device.role === "owner";
        const text = isOwner ? device.kind === "site" ? "sites.remove_text" : "devices.remove_text" : "devices.leave_text";
        const action = t(isOwner ? "devices.remove" : "devices.leave", { name: device.name });
        const agrees = await context.confirm({
            title: `${action}?`,
            text: t(text),
            action,
            isGrave: true,
        });
        if (!agrees) return;
        try {
            const { data } = await api.delete(`/devices/${id}`, { once: true });
            await context.navigate("/devices", { replace: true });
            store.refresh().catch(() => {});
            if (data?.claimCode) showCode(device.name, data.claimCode);
        } catch (error) {
            if (isProblem(error) && error.status === 404) await store.refresh().catch(() => {});
            context.toast({ text: context.explain(error) });
        }
    }

    /**
     * The next owner's code, which is shown this once.
     * @param {string} name
     * @param {string} code
     */
    function showCode(name, code) {
        const copy = h("button", { class: "button button-primary", type: "button" }, t("common.copy"));
        copy.addEventListener("click", async () => {
            await navigator.clipboard?.writeText(code).catch(() => {});
            context.toast({ text: t("common.copied") });
        });
        context.sheet({
            title: t("devices.removed", { name }),
            lead: t("devices.removed_text"),
            body: [h("p", { class: "device-code title" }, code), copy],
        });
    }

    const end = effect([store.devices, store.settings], update);
    const endChain = effect([chain.known, ways.known], tellChain);
    const endCalls = effect([store.callNews], () => {
        void chain.read();
        void ways.read();
    });
    return {
        unmount() {
            end();
            endChain();
            endCalls();
            sharing?.remove();
            receivers?.remove();
            publicPage?.remove();
            newKey?.remove();
            rejects?.remove();
            probes?.remove();
            life?.remove();
        },
    };
}
