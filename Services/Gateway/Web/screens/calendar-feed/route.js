/** Addresses by which calendars show what is due. @type {import("../../app/routes.js").Route} */
export default {
    path: "/settings/calendar",
    tab: "settings",
    who: "person",
    load: () => import("./calendar-feed.js"),
};
