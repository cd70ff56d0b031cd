import { withStyles } from "../../../../page/late.js";

/** All tanks on a screen on the wall. @type {import("../../../../app/routes.js").Route} */
export default {
    path: "/tanks/wall",
    tab: null,
    who: "person",
    load: () => withStyles(import("./wall.js"), "tanks", "wall"),
};
