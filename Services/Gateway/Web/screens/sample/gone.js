/** A sample that the service has no more, or whose place is not the person's any more: it is sent anew with what is on this device, or thrown away. */

import { createButton } from "../../components/button/button.js";
import { createProblem } from "../../components/page/page.js";
import { createSelect } from "../../components/select/select.js";
import { createShape } from "../../components/shape/shape.js";
import { h, set, setText } from "../../page/dom.js";
import { byDistance } from "../../water/field/place.js";
import { mayAct } from "../../water/projects.js";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {() => import("../../water/field/draft.js").Draft} draft As it is now.
 * @param {{renew: (device: string | null) => Promise<void>, discard: () => Promise<void>, leave: () => void}} does
 */
export function createGone({ t, confirm, store }, draft, { renew, discard, leave }) {
    const { device: former, place, position } = draft();
    const known = byDistance((store.devices.value ?? []).filter((one) => mayAct(one)), position).map(({ place }) => place);
    /** Its own place where that is still theirs, else the nearest. */
    let device = known.find(({ id }) => id === former)?.id ?? known[0]?.id ?? null;
    const title = h("span", { role: "status" });
    const problem = createProblem();
    const at = createSelect({ label: t("field.gone_at"), options: known.map(({ id, name }) => ({ value: id, text: name })), value: device ?? undefined, choose: (value) => device = value });
    const send = createButton({ text: t("field.gone_send"), busyText: t("field.sending"), kind: "primary", press: sendAnew });
    const away = createButton({ text: t("field.gone_discard"), press: throwAway });
    const element = h(
        "section",
        { class: "field-gone surface", hidden: true },
        h("h2", { class: "name" }, createShape("fault"), " ", title),
        h("p", { class: "quiet" }, t("field.gone_text")),
        known.length > 0 ? at.element : null,
        problem.element,
        h("div", { class: "buttons" }, send.element, away.element),
    );
    // A place that is yet to be made is made with the sample.
    send.setEnabled(device !== null || place !== null);

    async function sendAnew() {
        problem.show("");
        try {
            await renew(device);
            leave();
        } catch {
            problem.show(t("field.unkept"));
        }
    }

    async function throwAway() {
        const isSure = await confirm({ title: t("field.discard_title"), text: t("field.discard_text"), action: t("field.discard"), isGrave: true });
        if (isSure) await discard();
    }

    return {
        element,
        /** @param {boolean} isShown */
        show(isShown) {
            const { base, isMissing = false } = draft();
            setText(title, isShown ? t(base === null && !isMissing ? "field.gone_place" : "field.gone_title") : "");
            set(element, "hidden", !isShown);
        },
    };
}
