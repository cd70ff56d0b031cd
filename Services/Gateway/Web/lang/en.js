import common from "./en/common.js";
import details from "./en/details.js";
import home from "./en/home.js";
import water from "./en/water.js";

/** @type {import("./index.js").Catalogue} */
export default { ...common, ...details, ...home, ...water };
