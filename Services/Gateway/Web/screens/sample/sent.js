/** A sample as the service has it: its values, what was seen, its photos, who receives it, and how it came to be as it is. */

import { createButton } from "../../components/button/button.js";
import { createDepthProfile } from "../../components/depth-profile/depth-profile.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { createThumbnail, openPhoto } from "../../components/photo/photo.js";
import { wordOf } from "../../lang/index.js";
import { h } from "../../page/dom.js";
import { merged } from "../../water/field/conflict.js";
import { contentIn } from "../../water/field/draft.js";
import { profilesOf } from "../../water/field/profile.js";
import { unknownProtocol } from "../../water/field/received.js";
import { partName, partText, placeName, spotLabel } from "../../water/field/text.js";
import { keyOf } from "../../water/field/protocol.js";
import { valueText } from "../../water/field/values.js";
import { powersOverWords } from "../../water/projects.js";
import { factsOf, valuesOf } from "./contents.js";
import { openReview } from "./review.js";

/** @typedef {import("../../water/field/draft.js").Sample} Sample */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../app/field/field.js").FieldWork} field
 * @param {Sample} sample
 * @param {() => Promise<void>} change
 */
export async function createSent(context, field, sample, change) {
    const { t, format, store, confirm, toast } = context;
    const protocol = await field.samples.protocolOf(sample).catch(() => unknownProtocol(sample));
    const device = store.deviceOf(sample.device);
    const { mayChange, mayRemove } = powersOverWords(/** @type {any} */ (device), sample.author?.isMe === true, Boolean(context.acting));
    const isWithdrawn = sample.state === "withdrawn";
    const { review = null } = sample;

    /** @param {unknown} error */
    const tell = (error) => void toast({ text: context.explain(error) });

    async function withdraw() {
        const agrees = await confirm({ title: t("field.withdraw_title"), text: t("field.withdraw_text"), action: t("field.withdraw"), isGrave: true });
        if (!agrees) return;
        await field.withdraw(sample).catch(tell);
        void context.navigate("/field", { replace: true });
    }

    async function showVersions() {
        try {
            const versions = await field.samples.versions(sample.id);
            context.sheet({
                title: t("field.versions"),
                body: [createList(...versions.map(({ version, state, changedAt, by }) =>
                    createRow({
                        name: t("field.version", { number: version }),
                        detail: [
                            format.moment(Date.parse(changedAt)),
                            by?.isMe ? t("journal.you") : by?.name ?? "",
                            state === "withdrawn" ? t("field.state_withdrawn") : "",
                        ].filter(Boolean).join(" · "),
                        press: () => void showVersion(version),
                    }).element
                ))],
            });
        } catch (error) {
            tell(error);
        }
    }

    /** What a version said otherwise than the one before. @param {number} number */
    async function showVersion(number) {
        try {
            const [now, before] = await Promise.all([field.samples.one(sample.id, number), number > 1 ? field.samples.one(sample.id, number - 1) : null]);
            const rows = before ? changesOf(before, now) : partsIn(now);
            const list = rows.map(([name, text]) => createRow({ name, detail: text }).element);
            context.sheet({ title: t("field.version", { number }), body: [list.length > 0 ? createList(...list) : h("p", { class: "quiet" }, t("field.same"))] });
        } catch (error) {
            tell(error);
        }
    }

    /** @param {Sample} before @param {Sample} now @returns {[string, string][]} */
    function changesOf(before, now) {
        // Former versions have no track.
        const { open } = merged(null, contentIn(before), contentIn(now));
        return open.filter(({ part }) => part !== "track").map(({ part, mine, theirs }) => [partName(context, part, protocol), t("field.from_to", { from: partText(context, part, mine, protocol), to: partText(context, part, theirs, protocol) })]);
    }

    /** @param {Sample} now @returns {[string, string][]} */
    const partsIn = (now) => now.values.map((value) => [spotLabel(context, keyOf(value.field, value), protocol), textOf(value)]);

    /** @param {import("../../water/field/values.js").Value} value */
    const textOf = (value) => valueText(context, protocol.fields.find(({ id }) => id === value.field), value);

    const photos = sample.photos.map(({ id }, index) => {
        const source = field.sourceOf(sample.id, id);
        const look = () => openPhoto(context, placeName(context, sample), source);
        return h("li", null, h("button", { class: "entry-photo", type: "button", "aria-label": t("journal.photo_open", { number: index + 1 }), onclick: look }, createThumbnail(source)));
    });
    const profiles = h("div", { class: "field-profiles" }, profilesOf([sample], [protocol]).map((profile) => createDepthProfile(context, profile, sample.id)));
    if (profiles.childElementCount > 0) void showOthers();

    /** Draws the same of the place's other dates beside it, where they are known. */
    async function showOthers() {
        const others = field.samples.of(sample.device);
        await others.read();
        const all = [sample, ...(others.listed.value.items ?? []).filter(({ id }) => id !== sample.id)];
        // This one stays, also where it is none of the newest.
        const made = profilesOf(all, await field.samples.protocolsOf(sample.device, all)).filter(({ lines }) => lines.some(({ id }) => id === sample.id));
        if (made.length === profiles.childElementCount) profiles.replaceChildren(...made.map((profile) => createDepthProfile(context, profile, sample.id)));
    }

    const author = sample.author ? sample.author.isMe ? t("journal.you") : sample.author.name : t("journal.nobody");
    const receivers = sample.receivers ?? [];
    const mayReview = device?.role === "owner" && !isWithdrawn;
    return {
        title: protocol.name,
        parts: [
            isWithdrawn ? h("p", { class: "rows-note" }, t("field.withdrawn_text")) : "",
            sample.isFlagged ? h("p", { class: "rows-note" }, t("field.clock")) : "",
            valuesOf(context, [...sample.values, ...sample.means ?? []], protocol),
            profiles,
            photos.length > 0 ? h("ul", { class: "entry-photos" }, photos) : "",
            h("h2", { class: "section-head" }, t("field.notes")),
            factsOf(context, sample, protocol),
            h("h2", { class: "section-head" }, t("field.way")),
            createList(
                createRow({ name: t("field.by"), value: author }).element,
                createRow({ name: t("field.received"), detail: receivers.length > 0 ? receivers.join(", ") : t("field.received_nobody") }).element,
                review ? createRow({ name: t("field.review"), value: wordOf(t, "field.review", review.review), detail: review.note ?? "" }).element : null,
                createRow({ name: t("field.of_place"), icon: "list", href: `/field?device=${encodeURIComponent(sample.device)}` }).element,
                createRow({ name: t("field.versions"), value: String(sample.version), press: () => void showVersions() }).element,
            ),
            h(
                "div",
                { class: "buttons field-end" },
                mayChange && !isWithdrawn ? createButton({ text: t("journal.change"), kind: "primary", press: () => change().catch(tell) }).element : null,
                mayReview ? createButton({ text: t("field.review_do"), press: () => openReview(context, sample) }).element : null,
                mayRemove && !isWithdrawn ? createButton({ text: t("field.withdraw"), kind: "text", press: withdraw }).element : null,
            ),
        ],
        update() {},
        remove() {},
    };
}
