/**
 * A size as people read it, in millions of bytes; the least that is not nothing is a tenth.
 * @param {Pick<import("./format.js").Format, 'number'>} format
 * @param {number} bytes
 */
export function megabytes(format, bytes) {
    const size = bytes > 0 ? Math.max(0.1, bytes / 1e6) : 0;
    return `${format.number(size, size < 10 ? 1 : 0)} MB`;
}
