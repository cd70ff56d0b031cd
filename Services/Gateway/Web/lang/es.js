import account from "./es/account.js";
import alerts from "./es/alerts.js";
import common from "./es/common.js";
import details from "./es/details.js";
import devices from "./es/devices.js";
import home from "./es/home.js";
import settings from "./es/settings.js";
import start from "./es/start.js";
import water from "./es/water.js";

/** @type {import("./index.js").Catalogue} */
export default {
    ...account,
    ...alerts,
    ...common,
    ...details,
    ...devices,
    ...home,
    ...settings,
    ...start,
    ...water,
};
