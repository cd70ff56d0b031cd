/** A reminder that is changed, with its history. @type {import("../../../app/routes.js").Route} */
export default {
    path: "/care/reminders/:reminder",
    tab: "care",
    who: "person",
    load: () => import("./reminder.js"),
};
