import common from "./ja/common.js";

/** @type {import("./index.js").Catalogue} */
export default { ...common };
