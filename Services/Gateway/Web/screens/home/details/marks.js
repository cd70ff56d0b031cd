/** What people did while the readings of a graph were measured, from the tank's journal. */

import { journalOf } from "../../../app/journal.js";
import { openAdd } from "../../../components/entry/add.js";
import { openEntry } from "../../../components/entry/entry.js";
import { createGraphMarks } from "../../../components/graph-marks/graph-marks.js";

/** So many pages of the journal are read for a long span at most. */
const mostPages = 4;

/**
 * @param {import("../../../app/context.js").Context} context
 * @param {object} what
 * @param {string} what.device
 * @param {() => void} what.changed There are other marks.
 */
export function createMarks(context, { device, changed }) {
    const journal = journalOf(context);
    const entries = journal.list({ device, kind: null });
    const { list, rows, hasAny, update, draw } = createGraphMarks(context, { journal, open: (entry) => openEntry(context, journal, entry) });
    let pages = 1;
    let isReading = false;

    const end = entries.use(() => {
        update(entries.listed.value.items ?? []);
        changed();
    });

    /**
     * Reads on until the journal reaches back to a time.
     * @param {number} from
     */
    async function reach(from) {
        const { items, next } = entries.listed.value;
        const last = items?.at(-1);
        if (isReading || !next || !last || Date.parse(last.at) < from || pages >= mostPages) return;
        isReading = true;
        try {
            await entries.readMore();
            pages += 1;
        } catch {
            // Without older entries the graph shows those that are here.
            pages = mostPages;
        }
        isReading = false;
    }

    return {
        list,
        rows,
        hasAny,
        draw,
        reach,
        add: () => openAdd(context, journal, device),
        end,
    };
}
