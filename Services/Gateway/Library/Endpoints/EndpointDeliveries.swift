import Instants
import Routes
import Store
import WaterQuality

/// Deliveries to an endpoint within a person's last seven days: taken or not, by stretches of time, and the alerts that it did not take.
struct EndpointDeliveries: Sendable {
    struct Period: Sendable {
        var begin: Timestamp
        var taken = 0
        var untaken = 0
    }

    let until: Timestamp
    /// From when on messages are counted.
    let since: Timestamp
    let periods: [Period]
    let untaken: [ListUntakenAlerts.Row]
    /// How many of the alerts can be sent again.
    let sendable: Int

    init(
        until: Timestamp, counts: [CountEndpointDeliveries.Row], untaken: [ListUntakenAlerts.Row], sendable: Int
    ) {
        let begin = until - RecentDeliveries.period * RecentDeliveries.periods
        var periods = (0..<RecentDeliveries.periods).map { Period(begin: begin + RecentDeliveries.period * $0) }
        for count in counts where periods.indices.contains(Int(count.period)) {
            periods[Int(count.period)].taken = Int(count.taken)
            periods[Int(count.period)].untaken = Int(count.untaken)
        }
        let isCut = counts.reduce(0) { $0 + $1.alerts } >= RecentDeliveries.most
        self.until = until
        since = isCut ? counts.map(\.oldest).min() ?? begin : begin
        self.periods = periods
        self.untaken = untaken
        self.sendable = sendable
    }

    static let output = Output<EndpointDeliveries>.object(
        "EndpointDeliveries", "What an endpoint took of the last seven days, and what it did not.",
        [
            .member(
                "since", .timestamp,
                "From when on messages are counted: for seven days, or as far back as the person's newest "
                    + "\(RecentDeliveries.most) alerts."
            ) { $0.since },
            .member("until", .timestamp, "Until when: now.") { $0.until },
            .member(
                "periods", .list(of: period),
                "\(RecentDeliveries.periods) stretches of six hours, oldest first; the last ends now."
            ) { $0.periods },
            .member(
                "untaken", .list(of: untakenAlert),
                "The alerts of these days that it did not take, newest first, \(ListUntakenAlerts.most) at most. Tests are "
                    + "left out."
            ) { $0.untaken },
            .member(
                "sendable", .integer,
                "How many of them sendAlertsAgain sends: alarms of the last day that go on, \(FindSendableAgain.most) at most.",
                example: 1
            ) { $0.sendable },
        ])

    private static let period = Output<Period>.object(
        "DeliveryPeriod", "Messages that were decided in a stretch of time, tests as well.",
        [
            .member("begin", .timestamp, "When it begins.") { $0.begin },
            .member("taken", .integer, "Messages that the endpoint accepted, or that arrived there.", example: 2) {
                $0.taken
            },
            .member(
                "untaken", .integer,
                "Messages that it refused or did not answer, for good or so far, and what could not be sent in time.",
                example: 0
            ) { $0.untaken },
        ])

    private static let untakenAlert = Output<ListUntakenAlerts.Row>.object(
        "UntakenAlert", "An alert that an endpoint did not take.",
        ShownAlert.members { (row: ListUntakenAlerts.Row) in ShownAlert(row.alert) } + [
            .member(
                "delivery", .choice(Word<Delivery.State>.self),
                "pending: it is tried again; failed; stale: not accepted in time; cancelled: what it says was over before "
                    + "it was accepted",
                example: "stale"
            ) { $0.state },
            .member(
                "outcome", .optional(of: .choice(Word<Delivery.Outcome>.self)),
                "How the last attempt ended; null where none was made in time.", example: "retry"
            ) { $0.outcome },
            .member("status", .optional(of: .integer), "The HTTP status of its answer, if one came.", example: 401) {
                $0.status.map(Int.init)
            },
        ])
}
