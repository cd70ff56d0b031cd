/** A field sample begins: by which protocol, and where. All of it works without a connection once the protocols were here. */

import { DraftsFull } from "../../../app/field/drafts.js";
import { fieldOf } from "../../../app/field/field.js";
import { createButton } from "../../../components/button/button.js";
import { createField } from "../../../components/field/field.js";
import { createBack, createProblem, createTabPage } from "../../../components/page/page.js";
import { createChoices, openChoice } from "../../../components/picker/choice.js";
import { createPlaceFinder } from "../../../components/place-finder/place-finder.js";
import { createDoing } from "../../../components/symbol/doings.js";
import { createSymbol } from "../../../components/symbol/symbol.js";
import { h, set, setText } from "../../../page/dom.js";
import { isTabOnApple } from "../../../page/installed.js";
import { effect } from "../../../page/signals.js";
import { isCutOff } from "../../../water/headline.js";
import { byDistance, isSite, wishOf } from "../../../water/field/place.js";
import { distanceText } from "../../../water/field/text.js";
import { mayAct } from "../../../water/projects.js";

/** @typedef {import("../../../water/field/protocol.js").Protocol} Protocol */
/** @typedef {import("../../../water/field/draft.js").Position} Position */

/** So many of the nearest places are in sight. */
const inSight = 4;
const longestName = 64;

/**
 * @param {HTMLElement} root
 * @param {import("../../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, store } = context;
    const field = fieldOf(context);
    const page = createTabPage({ title: t("field.new"), lead: "", top: createBack(context, "/field") });
    const problem = createProblem({ text: t("common.retry"), press: () => void readProtocols() });
    const protocolPlace = h("div", { class: "questions-choices" });
    const placePlace = h("div", { class: "questions-choices" });
    const others = createButton({ text: t("field.other_place"), kind: "text", press: chooseOther });
    const name = createField({ label: t("field.place_name"), name: "place", maxlength: longestName, onInput: update });
    const fresh = createButton({ text: t("field.new_place"), kind: "text", press: () => choose(null) });
    const finder = createPlaceFinder(context, { text: t("field.find"), position: null, found: take });
    const begin = createButton({ text: t("field.begin"), kind: "primary", isLarge: true, press: start });
    const hint = h("p", { class: "small quiet", role: "status" });
    /** @type {readonly Protocol[]} */
    let protocols = [];
    /** @type {string | null} */
    let protocol = null;
    /** @type {string | null} */
    let device = null;
    const wished = wishOf(location);
    /** @type {Position | null} */
    let position = wished.position;
    /** The sample is taken at a place that is yet to be made. */
    let isNew = position !== null && wished.device === null;
    let isGone = false;
    let turn = 0;

    context.title(t("field.new"));
    page.body.append(
        isTabOnApple() ? h("p", { class: "rows-note" }, t("field.apple_tab")) : "",
        h("h2", { class: "section-head" }, t("field.protocol")),
        problem.element,
        protocolPlace,
        h("a", { class: "button button-text", href: "/field/protocols" }, t("protocol.title")),
        h("h2", { class: "section-head" }, t("field.place")),
        finder.element,
        placePlace,
        h("div", { class: "buttons" }, others.element, fresh.element),
        name.element,
        h("div", { class: "field-end" }, hint, begin.element),
    );
    root.replaceChildren(...page.parts);

    const places = () => (store.devices.value ?? []).filter((one) => mayAct(one));

    async function readProtocols() {
        const mine = turn += 1;
        problem.show("");
        try {
            const found = await field.samples.protocols(device);
            if (mine !== turn || isGone) return;
            protocols = found;
            if (!found.some(({ id }) => id === protocol)) protocol = found.length === 1 ? found[0].id : null;
            showProtocols();
        } catch (error) {
            if (mine === turn && !isGone && protocols.length === 0) problem.show(isCutOff(store.connection.value) ? t("field.no_protocols") : context.explain(error, "read"));
        }
        update();
    }

    function showProtocols() {
        protocolPlace.replaceChildren(createChoices({
            label: t("field.protocol"),
            options: protocols.map(({ id, name, help, fields }) => ({
                value: id,
                text: name,
                detail: help || t("field.fields", { count: fields.length }),
                icon: createDoing(iconOf(fields)),
            })),
            value: protocol,
            onChoose(next) {
                protocol = next;
                showProtocols();
                update();
            },
        }).element);
    }

    function showPlaces() {
        const sorted = byDistance(places(), position);
        // Without a position, places stand before devices.
        if (!position) sorted.sort((one, other) => Number(isSite(other.place)) - Number(isSite(one.place)));
        const near = sorted.slice(0, inSight);
        const chosen = sorted.find(({ place }) => place.id === device);
        const shown = chosen && !near.includes(chosen) ? [...near.slice(0, inSight - 1), chosen] : near;
        const options = shown.map(({ place, metres }) => ({
            value: place.id,
            text: place.name,
            detail: metres === null ? "" : t("field.from_here", { distance: distanceText(context, metres) }),
            icon: createSymbol(isSite(place) ? "pin" : "devices"),
        }));
        placePlace.replaceChildren(createChoices({ label: t("field.place"), options, value: isNew ? null : device, onChoose: choose }).element);
        set(others.element, "hidden", sorted.length <= shown.length);
    }

    function chooseOther() {
        openChoice(context, {
            title: t("field.place"),
            options: byDistance(places(), position).map(({ place }) => ({ value: place.id, text: place.name })),
            value: device,
            onChoose: (next) => Promise.resolve(choose(next)),
        });
    }

    /** @param {string | null} next null: a place that is yet to be made. */
    function choose(next) {
        isNew = next === null;
        const isOther = next !== device;
        device = next;
        showPlaces();
        update();
        if (isNew) name.focus();
        if (isOther) void readProtocols();
    }

    /** @param {Position} next */
    function take(next) {
        position = next;
        showPlaces();
        update();
    }

    function update() {
        const cutOff = isCutOff(store.connection.value);
        setText(page.lead, t(cutOff ? "field.new_cut" : "field.new_lead"));
        set(name.element, "hidden", !isNew);
        const missing = protocol === null ? "field.choose_protocol" : isNew ? missingOfNew() : device === null ? "field.choose_place" : "";
        setText(hint, missing === "" ? "" : t(missing));
        begin.setEnabled(missing === "");
    }

    /** What a place that is yet to be made has not got, as a key of words. */
    function missingOfNew() {
        if (name.value.trim() === "") return "field.name_place";
        return position ? "" : "field.find_first";
    }

    async function start() {
        const chosen = protocols.find(({ id }) => id === protocol);
        if (!chosen) return;
        finder.end();
        // Of the place: the clock of the phone goes by it.
        const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
        const utcOffset = -new Date().getTimezoneOffset();
        const me = store.account.value?.name;
        try {
            const place = isNew ? name.value.trim() : null;
            const id = await field.begin({ device: isNew ? null : device, place, protocol: chosen, position, zone, utcOffset, surveyors: me ? [me] : [] });
            await context.navigate(`/field/${id}`, { replace: true });
        } catch (error) {
            problem.show(error instanceof DraftsFull ? t("field.full") : t("field.unkept"));
        }
    }

    finder.show(position);
    let isFirst = true;
    const end = effect([store.devices, store.connection], () => {
        if (isFirst || device === null && !isNew) {
            const all = places();
            device = isNew ? null : all.find(({ id }) => id === wished.device)?.id ?? (all.length === 1 ? all[0].id : null);
            if (isFirst || device !== null) void readProtocols();
            isFirst = false;
        }
        showPlaces();
        update();
    });
    return {
        unmount() {
            isGone = true;
            finder.end();
            end();
        },
    };
}

/** @param {Protocol["fields"]} fields */
function iconOf(fields) {
    if (fields.some(({ kind }) => kind === "count")) return "list";
    return fields.some(({ kind }) => kind === "number") ? "testTube" : "pencil";
}
