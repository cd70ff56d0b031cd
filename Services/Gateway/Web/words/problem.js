/**
 * Why something was not done, in words for people: the service's own problem documents, or that nothing answered.
 */

/**
 * What is wrong with one input.
 * @typedef {{field: string, code: string, detail: string}} FieldFault
 */

/**
 * What a line of a table lacks.
 * @typedef {{line: number, device: string, sample: string, field: string | null, element: string, reason: string}} IncompleteLine
 */

/** A problem document of the service (RFC 9457), in the person's language. */
export class Problem extends Error {
    /**
     * @param {number} status
     * @param {Record<string, unknown>} document
     * @param {number | null} retryAfter In seconds.
     */
    constructor(status, document, retryAfter) {
        super(String(document.title ?? status));
        this.name = "Problem";
        this.status = status;
        this.code = String(document.code ?? "");
        this.title = String(document.title ?? "");
        this.detail = String(document.detail ?? "");
        this.retryAfter = retryAfter;
        /** @type {FieldFault[]} */
        this.faults = Array.isArray(document.errors) ? document.errors.map(faultOf) : [];
        /** @type {IncompleteLine[]} */
        this.lines = Array.isArray(document.lines) ? document.lines : [];
    }

    /** @param {string} field */
    faultOf(field) {
        return this.faults.find((fault) => fault.field === field) ?? null;
    }
}

/** No answer came. */
export class NoAnswer extends Error {
    /** @param {boolean} isOffline Whether this device has no connection at all. */
    constructor(isOffline) {
        super(isOffline ? "offline" : "no answer");
        this.name = "NoAnswer";
        this.isOffline = isOffline;
    }
}

/** The session has ended: the person has to sign in again. */
export class SignedOut extends Error {
    constructor() {
        super("signed out");
        this.name = "SignedOut";
    }
}

/** Somebody else has changed the same thing since it was read. */
export class ChangedElsewhere extends Error {
    constructor() {
        super("changed elsewhere");
        this.name = "ChangedElsewhere";
    }
}

/**
 * What a person is told of an error; one that nobody knows goes to the console, too.
 * @param {unknown} error
 * @param {(key: string) => string} words
 * @param {'read' | 'change'} [attempt]
 */
export function sentenceOf(error, words, attempt = "change") {
    if (error instanceof Problem && error.title !== "") return error.detail ? `${error.title}. ${error.detail}` : error.title;
    if (error instanceof NoAnswer && error.isOffline) return words(attempt === "read" ? "common.offline_read" : "common.offline");
    if (error instanceof NoAnswer) return words("common.noAnswer");
    if (error instanceof SignedOut) return words("common.signedOut");
    if (error instanceof ChangedElsewhere) return words("common.changedElsewhere");
    console.error(error);
    return words("common.failed");
}

/**
 * @param {unknown} error
 * @returns {error is Problem}
 */
export function isProblem(error) {
    return error instanceof Problem;
}

/**
 * @param {unknown} document
 * @returns {FieldFault}
 */
function faultOf(document) {
    const { pointer, parameter, header, code, detail } = /** @type {Record<string, unknown>} */ (document ?? {});
    const place = String(pointer ?? parameter ?? header ?? "");
    return { field: place.replace(/^#?\//, ""), code: String(code ?? ""), detail: String(detail ?? "") };
}
