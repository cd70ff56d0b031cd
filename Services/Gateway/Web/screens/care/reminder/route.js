/** A reminder that is made. @type {import("../../../app/routes.js").Route} */
export default {
    path: "/care/reminders/new",
    tab: "care",
    who: "person",
    load: () => import("./reminder.js"),
};
