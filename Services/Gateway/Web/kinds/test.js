/** An alert that a person asked for, to see that it comes. */

import { wordOf } from "../lang/index.js";

/** @type {import("./index.js").Kind} */
export const test = {
    name: "test",
    isTrial: true,
    shape: () => "live",
    isOpen: () => false,
    told: ({ t, format }, { first }) => ({
        name: t("alerts.test"),
        detail: `${wordOf(t, "alerts.state", first.state)} · ${format.clock(Date.parse(first.decidedAt))}`,
        action: "",
        facts: [],
    }),
};
