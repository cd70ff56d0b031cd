import common from "./en/common.js";

/** @type {import("./index.js").Catalogue} */
export default { ...common };
