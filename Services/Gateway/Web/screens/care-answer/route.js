/** The answer to a message of reminders by its link, whoever is signed in here. @type {import("../../app/routes.js").Route} */
export default {
    path: "/care/answer",
    tab: null,
    who: "anyone",
    load: () => import("./care-answer.js"),
};
