import common from "./ja/common.js";
import details from "./ja/details.js";
import home from "./ja/home.js";
import water from "./ja/water.js";

/** @type {import("./index.js").Catalogue} */
export default { ...common, ...details, ...home, ...water };
