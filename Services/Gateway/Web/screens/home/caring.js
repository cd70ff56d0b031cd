/** The one quiet line about what is due at a tank. What it takes comes after the screen, which does not wait for it. */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {() => void} changed There is something else to show.
 */
export function createCaring(context, changed) {
    /** @type {((device: string, now: number) => {text: string, shape: import("../../water/headline.js").ShapeName} | null) | null} */
    let lineOf = null;
    let end = () => {};
    let hasEnded = false;

    async function load() {
        const [{ careOf }, { homeLine }] = await Promise.all([import("../../app/care.js"), import("../../water/care-words.js")]);
        if (hasEnded) return;
        const { shown } = careOf(context);
        lineOf = (device, now) => homeLine(context, shown.value, device, now);
        end = shown.subscribe(changed);
        changed();
    }

    load().catch((error) => console.info("What is due has not come.", error));

    return {
        /**
         * An alarm of the water leaves no place for it.
         * @param {import("../../water/headline.js").Headline} headline
         * @param {number} now
         * @returns {import("./notices.js").Row | null} The notice.
         */
        update(headline, now) {
            const device = context.store.current.value?.id;
            const line = device === undefined || headline.isAlarm ? null : lineOf?.(device, now);
            return line ? { key: "care", href: "/care", ...line } : null;
        },

        remove() {
            hasEnded = true;
            end();
        },
    };
}
