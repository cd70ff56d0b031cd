/**
 * Elements without markup: what comes from elsewhere is text and attributes, never HTML.
 */

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, unknown> | null} Props */

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Props} [props] Attributes; functions named `on...` listen to events; null, undefined and false are left out.
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, props = null, ...children) {
    return filled(document.createElement(tag), props, children);
}

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Props} [props]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, props = null, ...children) {
    return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), props, children);
}

/**
 * @template {Element} T
 * @param {T} element
 * @param {Props} props
 * @param {(Child | Child[])[]} children
 * @returns {T}
 */
function filled(element, props, children) {
    for (const [name, value] of Object.entries(props ?? {})) set(element, name, value);
    for (const child of children.flat()) {
        if (child === null || child === undefined || child === false) continue;
        element.append(typeof child === "number" ? String(child) : child);
    }
    return element;
}

/**
 * Sets an attribute, or takes it away, unless it is so already.
 * @param {Element} element
 * @param {string} name
 * @param {unknown} value
 */
export function set(element, name, value) {
    if (name.startsWith("on") && typeof value === "function") {
        element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else {
        const text = value === true ? "" : String(value);
        if (element.getAttribute(name) !== text) element.setAttribute(name, text);
    }
}

/**
 * Sets a text, unless it is so already.
 * @param {Node} node
 * @param {string} text
 */
export function setText(node, text) {
    if (node.textContent !== text) node.textContent = text;
}
