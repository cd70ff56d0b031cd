/** The sheet that adds a step: one of the others who share the device, or an endpoint of the person's own. */

import { chainsOf } from "../../app/chains.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { h } from "../../page/dom.js";
import { candidatesOf, nextStep } from "../../water/chain.js";
import { iconOf, nameOf } from "../../words/endpoint-name.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {import("../../water/chain.js").Chain} Chain */
/** @typedef {import("../../water/chain.js").Step} Step */

/**
 * @param {Context} context
 * @param {object} about
 * @param {string} about.id The device's id.
 * @param {number | null} about.here The endpoint of this device.
 * @param {(step: Step) => void} about.open Asks when a step is due that is no step yet.
 */
export function openAdding(context, { id, here, open }) {
    const { t, store } = context;
    const chains = chainsOf(context);
    const { known } = chains.of(id);
    const told = known.value.told;
    if (told === null) return;
    const { people, ways } = candidatesOf(told, chains.ways.known.value ?? []);

    /** @param {{person: import("../../water/chain.js").Person} | {endpoint: number}} who */
    function choose(who) {
        sheet.close();
        open(nextStep(known.value.told?.steps ?? [], who));
    }

    const sheet = context.sheet({
        title: t("chain.add"),
        body: [
            h("h3", { class: "section-head chain-head" }, t("chain.people", { name: store.deviceOf(id)?.name ?? id })),
            people.length > 0
                ? createList(...people.map((person) => createRow({ name: person.name, detail: t("chain.asks"), icon: "person", press: () => choose({ person }) }).element))
                : nobody(context, id, told, () => sheet.close()),
            ways.length > 0 ? h("h3", { class: "section-head chain-head" }, t("chain.ways")) : null,
            ways.length > 0
                ? createList(
                    ...ways.map((way) =>
                        createRow({
                            name: way.id === here ? t("chain.here_name") : nameOf(context, way),
                            icon: iconOf(way),
                            press: () => choose({ endpoint: way.id }),
                        }).element
                    ),
                )
                : null,
            ways.length > 0 ? h("p", { class: "rows-note chain-foot" }, t("chain.ways_note")) : null,
        ],
    });
}

/**
 * The words where nobody is left to ask; an owner can invite somebody.
 * @param {Context} context
 * @param {string} id
 * @param {Pick<Chain, "people">} chain
 * @param {() => void} close
 */
function nobody({ t, store, navigate }, id, { people }, close) {
    const device = store.deviceOf(id);
    const text = people.length > 0 ? t("chain.all") : t("chain.alone");
    if (device?.role !== "owner") return h("p", { class: "rows-note chain-foot" }, people.length > 0 ? text : t("chain.alone_watcher"));
    const press = () => {
        close();
        void navigate(`/devices/${encodeURIComponent(id)}`);
    };
    return createList(createRow({ name: t("sharing.invite"), detail: text, icon: "plus", press }).element);
}
