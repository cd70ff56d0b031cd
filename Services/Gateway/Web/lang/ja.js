import account from "./ja/account.js";
import alerts from "./ja/alerts.js";
import common from "./ja/common.js";
import details from "./ja/details.js";
import devices from "./ja/devices.js";
import home from "./ja/home.js";
import settings from "./ja/settings.js";
import start from "./ja/start.js";
import water from "./ja/water.js";

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
