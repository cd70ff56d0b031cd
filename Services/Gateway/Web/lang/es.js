import common from "./es/common.js";

/** @type {import("./index.js").Catalogue} */
export default { ...common };
