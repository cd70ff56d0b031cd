import account from "./en/account.js";
import alerts from "./en/alerts.js";
import common from "./en/common.js";
import details from "./en/details.js";
import devices from "./en/devices.js";
import home from "./en/home.js";
import settings from "./en/settings.js";
import start from "./en/start.js";
import water from "./en/water.js";

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
