/** Why something was not kept, in words. */

import { NotKept } from "../journal-list/model.js";

/**
 * @param {Pick<import("../../app/context.js").Context, 't' | 'explain'>} context
 * @param {unknown} error
 */
export function unkeptText({ t, explain }, error) {
    return error instanceof NotKept ? t(error.isFull ? "journal.full" : "journal.unkept") : explain(error);
}
