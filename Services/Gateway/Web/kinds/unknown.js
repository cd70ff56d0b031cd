/** A kind of alert that only a newer service knows, which tells it in a person's words. */

/** Nobody knows here what ends it: without another alert it is taken to have lasted so long. */
const lasts = 60 * 60_000;

/** @type {import("./index.js").Kind} */
export const unknown = {
    name: "",
    shape: ({ side }) => side ?? "live",
    isOpen: ({ at }, _tank, _gauge, now) => now - at < lasts,
    told: (_, { first, alerts: [newest] }) => ({
        name: first.title,
        detail: [first.device?.name ?? "", newest.text].filter((text) => text !== "").join(" · "),
        action: newest.text,
        facts: [],
    }),
};
