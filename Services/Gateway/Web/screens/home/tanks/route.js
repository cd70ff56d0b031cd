import { withStyles } from "../../../page/late.js";

/** All tanks at once. @type {import("../../../app/routes.js").Route} */
export default {
    path: "/tanks",
    tab: "water",
    who: "person",
    load: () => withStyles(import("./tanks.js"), "tanks"),
};
