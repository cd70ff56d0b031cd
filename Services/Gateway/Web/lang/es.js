import common from "./es/common.js";
import details from "./es/details.js";
import home from "./es/home.js";
import water from "./es/water.js";

/** @type {import("./index.js").Catalogue} */
export default { ...common, ...details, ...home, ...water };
