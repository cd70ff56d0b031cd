/** Styles that no first screen needs: they come with the screen that does, and stay. */

/** By their paths. @type {Map<string, Promise<void>>} */
const coming = new Map();

/** @param {string} path */
function styled(path) {
    const known = coming.get(path);
    if (known) return known;
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = path;
    const loading = /** @type {Promise<void>} */ (new Promise((resolve, reject) => {
        link.onload = () => resolve();
        link.onerror = () => reject(new TypeError(`${path} did not come`));
    }));
    coming.set(path, loading);
    // What did not come is asked for again.
    loading.catch(() => {
        coming.delete(path);
        link.remove();
    });
    document.head.append(link);
    return loading;
}

/**
 * A part of the app with its styles, which come at the same time.
 * @template T
 * @param {Promise<T>} part
 * @param {...string} names Of files in `styles/late`.
 * @returns {Promise<T>}
 */
export async function withStyles(part, ...names) {
    const [module] = await Promise.all([part, ...names.map((name) => styled(`/styles/late/${name}.css`))]);
    return module;
}
