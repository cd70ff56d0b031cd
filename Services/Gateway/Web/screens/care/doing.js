/** What a person does about a reminder in a list: the tick, and all else in a sheet. Each is kept at once, and can be taken back. */

import { OutboxFull } from "../../app/outbox.js";
import { itemWords } from "../../water/care-words.js";
import { mayAct } from "../../water/projects.js";
import { listed } from "../../words/sentence.js";
import { openItem } from "./sheet.js";

/** @typedef {import("../../app/care.js").Care} Care */
/** @typedef {import("../../water/care.js").Item} Item */
/** @typedef {import("../../water/care.js").What} What */
/** @typedef {ReturnType<typeof createDoing>} Doing */

/** So long it is said what was done, in milliseconds. */
const patience = 12_000;

/**
 * @param {import("../../app/context.js").Context} context
 * @param {Care} care
 */
export function createDoing(context, care) {
    const { t, store } = context;
    /** Takes away what was said last. */
    let dismiss = () => {};
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let passing;

    /**
     * Says what was done until something else is, or for a while: the row itself takes it back as well.
     * @param {import("../../components/toast/toast.js").ToastModel} model
     */
    function say(model) {
        hush();
        dismiss = context.toast(model);
        passing = setTimeout(dismiss, patience);
    }

    function hush() {
        clearTimeout(passing);
        dismiss();
    }

    /**
     * Keeps what is done, and says so; what cannot be kept is told.
     * @param {() => Promise<unknown>} run
     * @param {{text: string, undo?: () => (() => Promise<void>) | null}} told
     */
    async function perform(run, { text, undo }) {
        try {
            await run();
            const back = undo?.() ?? null;
            say(back ? { text, action: { text: t("care.undo"), press: () => void perform(back, { text: t("care.undone") }) } } : { text });
        } catch (error) {
            say({ text: error instanceof OutboxFull ? t("care.full") : context.explain(error) });
        }
    }

    const doing = {
        hush,

        /** @param {string} device */
        tankOf: (device) => store.deviceOf(device)?.name ?? device,

        /** @param {string} device */
        isLookedAt: (device) => !mayAct(store.deviceOf(device)),

        /**
         * @param {Item} item
         * @param {What} what
         * @param {{at?: number, until?: number}} [more]
         */
        act(item, what, more) {
            /** @type {(() => Promise<void>) | null} */
            let back = null;
            const { name } = item.reminder;
            return perform(async () => back = await care.act(item, what, more), { text: t(`care.did_${what}`, { name }), undo: () => back });
        },

        /** @param {Item} item */
        undo({ reminder, occurrence: { act } }) {
            return act === null ? Promise.resolve() : perform(() => care.undo(reminder, act), { text: t("care.undone") });
        },

        /** @param {import("../../water/care.js").Reminder} reminder @param {string} text */
        save: (reminder, text) => perform(() => care.save(reminder), { text, undo: () => () => care.end(reminder) }),

        /** @param {Item} item */
        open: (item) => openItem(context, care, doing, item),

        /**
         * A row of a list.
         * @param {Item} item
         * @param {number} now
         * @returns {import("../../components/care-row/care-row.js").CareRowModel}
         */
        rowOf(item, now) {
            const { state, pending, by } = item.occurrence;
            const words = itemWords(context, item, { tank: doing.tankOf(item.reminder.device), now, me: store.account.value?.name });
            const isSettled = state === "done" || state === "skipped";
            // What another person did, and what is over, is not undone by a slip.
            const isDirect = pending?.state !== "refused" && (item.isOpen || isSettled && by?.isMe === true);
            return {
                key: item.key,
                words,
                state: isSettled ? state : "open",
                tickLabel: listed(context, [
                    t(isSettled ? "care.tick_undo" : "care.tick", { name: item.reminder.name, tank: doing.tankOf(item.reminder.device) }),
                    words.when,
                ]),
                tick: doing.isLookedAt(item.reminder.device) ? null : () => void (!isDirect ? doing.open(item) : isSettled ? doing.undo(item) : doing.act(item, "done")),
                open: () => doing.open(item),
            };
        },
    };
    return doing;
}
