/**
 * As much of a page as components need to be made, changed and pressed: Deno has none. What is drawn and measured is for browsers.
 */

/** @param {any} node */
const asNode = (node) => node instanceof Leaf ? node : new Text(String(node));

class Leaf extends EventTarget {
    /** @type {Parent | null} */
    parentElement = null;
    remove() {
        this.parentElement?.detach(this);
    }
    /** @param {...any} nodes */
    after(...nodes) {
        const parent = this.parentElement;
        const next = parent?.childNodes[parent.childNodes.indexOf(this) + 1] ?? null;
        for (const node of nodes) parent?.insertBefore(asNode(node), next);
    }
    /** @param {...any} nodes */
    replaceWith(...nodes) {
        this.after(...nodes);
        this.remove();
    }
}

class Text extends Leaf {
    /** @param {string} data */
    constructor(data) {
        super();
        this.textContent = data;
    }
}

class Parent extends Leaf {
    /** @type {Leaf[]} */
    childNodes = [];
    /** @type {Map<string, string>} */
    attributes = new Map();
    style = { setProperty() {}, removeProperty() {} };

    /** @param {string} localName */
    constructor(localName) {
        super();
        this.localName = localName;
    }
    get children() {
        return this.childNodes.filter((node) => node instanceof Parent);
    }
    get firstElementChild() {
        return this.children[0] ?? null;
    }
    get childElementCount() {
        return this.children.length;
    }
    get hidden() {
        return this.attributes.has("hidden");
    }
    set hidden(value) {
        this.toggleAttribute("hidden", value);
    }
    /** @returns {string} */
    get textContent() {
        return this.childNodes.map((node) => /** @type {any} */ (node).textContent).join("");
    }
    set textContent(text) {
        this.replaceChildren(...text === "" ? [] : [text]);
    }
    get classList() {
        const all = () => (this.attributes.get("class") ?? "").split(" ").filter((name) => name !== "");
        const contains = (/** @type {string} */ name) => all().includes(name);
        const toggle = (/** @type {string} */ name, wanted = !contains(name)) =>
            this.attributes.set("class", [...all().filter((one) => one !== name), ...wanted ? [name] : []].join(" "));
        return { contains, toggle, add: (/** @type {string} */ name) => toggle(name, true), remove: (/** @type {string} */ name) => toggle(name, false) };
    }
    /** @param {string} name */
    getAttribute(name) {
        return this.attributes.get(name) ?? null;
    }
    /** @param {string} name */
    hasAttribute(name) {
        return this.attributes.has(name);
    }
    /** @param {string} name @param {string} value */
    setAttribute(name, value) {
        this.attributes.set(name, value);
    }
    /** @param {string} name */
    removeAttribute(name) {
        this.attributes.delete(name);
    }
    /** @param {string} name @param {boolean} [wanted] */
    toggleAttribute(name, wanted = !this.attributes.has(name)) {
        if (wanted) this.attributes.set(name, "");
        else this.attributes.delete(name);
    }
    /** @param {Leaf} node */
    detach(node) {
        // What leaves the page loses the focus, also where it comes back at once.
        const focused = page.activeElement;
        if (focused && (node === focused || node instanceof Parent && node.contains(focused))) page.activeElement = null;
        this.childNodes = this.childNodes.filter((one) => one !== node);
        node.parentElement = null;
    }
    /** @param {Leaf} node @param {Leaf | null} before */
    insertBefore(node, before) {
        node.remove();
        const index = before === null ? this.childNodes.length : this.childNodes.indexOf(before);
        this.childNodes.splice(index, 0, node);
        node.parentElement = this;
    }
    /** @param {...any} nodes */
    append(...nodes) {
        for (const node of nodes) this.insertBefore(asNode(node), null);
    }
    /** @param {...any} nodes */
    prepend(...nodes) {
        const [first = null] = this.childNodes;
        for (const node of nodes) this.insertBefore(asNode(node), first);
    }
    /** @param {...any} nodes */
    replaceChildren(...nodes) {
        for (const node of [...this.childNodes]) this.detach(node);
        this.append(...nodes);
    }
    /** @param {any} other @returns {boolean} */
    contains(other) {
        for (let one = other; one; one = one.parentElement) if (one === this) return true;
        return false;
    }
    /** All elements below, in the page's order. @returns {Parent[]} */
    all() {
        return this.children.flatMap((child) => [child, ...child.all()]);
    }
    /** @param {string} selector A tag, or a class. */
    querySelectorAll(selector) {
        return this.all().filter((one) => selector.startsWith(".") ? one.classList.contains(selector.slice(1)) : one.localName === selector);
    }
    /** @param {string} selector */
    querySelector(selector) {
        return this.querySelectorAll(selector)[0] ?? null;
    }
    /** All texts below, apart from each other. @returns {string} */
    get told() {
        return this.childNodes.map((node) => node instanceof Parent ? node.told : /** @type {any} */ (node).textContent).join("|");
    }
    /** Those here and below of which an attribute has the word. @param {string} name @param {string} word @returns {Parent[]} */
    having(name, word) {
        return [this, ...this.all()].filter((one) => one.attributes.get(name)?.split(" ").includes(word));
    }
    /** The shapes below, in their order. @returns {(string | undefined)[]} */
    get shapes() {
        return this.having("class", "shape").map((shape) => shape.attributes.get("class")?.replace("shape shape-", ""));
    }
    focus() {
        page.activeElement = this;
    }
    select() {
        this.focus();
    }
    click() {
        press(this);
    }
}

/**
 * Deno's events do not bubble through a tree of ours.
 * @param {Parent} target
 */
function press(target) {
    for (let one = /** @type {Parent | null} */ (target); one; one = one.parentElement) {
        const event = new Event("click", { cancelable: true });
        Object.defineProperty(event, "target", { get: () => target });
        one.dispatchEvent(event);
    }
}

class Observer {
    observe() {}
    unobserve() {}
    disconnect() {}
}

const page = {
    /** @type {Parent | null} */
    activeElement: null,
    hidden: false,
    body: new Parent("body"),
    createElement: (/** @type {string} */ name) => new Parent(name),
    createElementNS: (/** @type {string} */ _, /** @type {string} */ name) => new Parent(name),
    getElementById: () => null,
    addEventListener() {},
    removeEventListener() {},
};

/** Lets components find a page. @returns {{make: (name: string) => any, document: typeof page}} */
export function openPage() {
    Object.assign(globalThis, { document: page, ResizeObserver: Observer, getComputedStyle: () => ({ fontSize: "16px" }), requestAnimationFrame: (/** @type {() => void} */ run) => setTimeout(run) });
    page.activeElement = null;
    return { make: (name) => new Parent(name), document: page };
}
