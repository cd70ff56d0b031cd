/**
 * Values that tell when they change. A change is told once, after the code that made it has run to its end.
 */

/**
 * @template T
 * @typedef {object} Readable
 * @property {T} value
 * @property {(listener: () => void) => () => void} subscribe Returns what ends it.
 */

/**
 * @template T
 * @typedef {object} Signal
 * @property {T} value
 * @property {(listener: () => void) => () => void} subscribe
 */

/**
 * @template T
 * @param {T} initial
 * @returns {Signal<T>}
 */
export function signal(initial) {
    let current = initial;
    /** @type {Set<() => void>} */
    const listeners = new Set();
    return {
        get value() {
            return current;
        },
        set value(next) {
            if (Object.is(next, current)) return;
            current = next;
            for (const listener of [...listeners]) listener();
        },
        subscribe(listener) {
            listeners.add(listener);
            return () => listeners.delete(listener);
        },
    };
}

/**
 * A value made of others, made anew when it is read after one of them changed.
 * @template T
 * @param {readonly Readable<unknown>[]} sources
 * @param {() => T} make
 * @returns {Readable<T>}
 */
export function computed(sources, make) {
    let isFresh = false;
    /** @type {T | undefined} */
    let current;
    for (const source of sources) source.subscribe(() => isFresh = false);
    return {
        get value() {
            if (!isFresh) {
                current = make();
                isFresh = true;
            }
            return /** @type {T} */ (current);
        },
        subscribe(listener) {
            const ends = sources.map((source) => source.subscribe(listener));
            return () => ends.forEach((end) => end());
        },
    };
}

/**
 * Runs now, and again after any of the sources changed: once for all changes of one moment.
 * @param {readonly Readable<unknown>[]} sources
 * @param {() => void} run
 * @returns {() => void} What ends it.
 */
export function effect(sources, run) {
    let isWaiting = false;
    let hasEnded = false;
    const later = () => {
        if (isWaiting) return;
        isWaiting = true;
        queueMicrotask(() => {
            isWaiting = false;
            if (!hasEnded) run();
        });
    };
    const ends = sources.map((source) => source.subscribe(later));
    run();
    return () => {
        hasEnded = true;
        ends.forEach((end) => end());
    };
}

/**
 * Whether something was made of just these parts, so that it need not be made again.
 * @param {readonly unknown[] | undefined} parts
 * @param {readonly unknown[]} next
 */
export function isMadeOf(parts, next) {
    return parts !== undefined && parts.length === next.length && next.every((part, index) => Object.is(part, parts[index]));
}
