/** The names under which results are reported to WQX: what the service takes of them, and which of them a fault is about. */

/** @typedef {'organization' | 'study'} Name */

/** The longest of each, in characters. @type {Readonly<Record<Name, number>>} */
export const longest = Object.freeze({ organization: 30, study: 35 });

export const names = Object.freeze(/** @type {Name[]} */ (["organization", "study"]));

/** The elements that are made of a name, or in its place of the protocol. @type {Readonly<Record<string, Name>>} */
const madeOf = Object.freeze({ "Project ID": "study", "Result Analytical Method ID": "organization" });

/**
 * The query of a table: nothing of what is empty.
 * @param {Readonly<Record<Name, string>>} typed
 * @returns {Partial<Record<Name, string>>}
 */
export function namesIn(typed) {
    return Object.fromEntries(names.map((name) => [name, typed[name].trim()]).filter(([, text]) => text !== ""));
}

/**
 * The name that incomplete lines are about; null: they are about the samples.
 * @param {readonly {element: string}[]} lines
 */
export function nameOf(lines) {
    return lines.map(({ element }) => madeOf[element]).find((name) => name !== undefined) ?? null;
}
