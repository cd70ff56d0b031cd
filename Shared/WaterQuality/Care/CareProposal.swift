/// A reminder that is proposed, for a keeper to take as it is or to change. Rhythms are conventions of keepers, no measured needs.
package struct CareProposal: Hashable, Sendable {
    /// A stable name of the proposal; a promise to clients.
    package var id: String
    package var activity: CareActivity
    package var recurrence: Recurrence
    /// The time of day, in minutes since midnight.
    package var minute: Int

    /// What is wrong to leave out is by the calendar; what matters is how long ago it was, so many days after it was done.
    package static let all: [CareProposal] = [
        CareProposal(id: "water-change", .waterChange, .afterDone(days: 7), at: 18),
        CareProposal(id: "feed", .feed, .daily(interval: 1), at: 8),
        CareProposal(id: "dose", .dose, .weekly(interval: 1, days: [1]), at: 8),
        CareProposal(id: "clean-glass", .cleanGlass, .afterDone(days: 7), at: 18),
        CareProposal(id: "clean-filter", .cleanFilter, .afterDone(days: 30), at: 18),
        CareProposal(id: "test", .test, .afterDone(days: 7), at: 18),
        CareProposal(id: "calibrate", .calibrate, .afterDone(days: 30), at: 18),
    ]

    private init(id: String, _ activity: CareActivity, _ pattern: Recurrence.Pattern, at hour: Int) {
        self.id = id
        self.activity = activity
        recurrence = Recurrence(pattern)
        minute = hour * 60
    }
}
