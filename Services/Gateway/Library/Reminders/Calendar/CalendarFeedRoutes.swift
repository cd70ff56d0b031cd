import Crypto
import FoundationEssentials
import HTTPTypes
import Instants
import Postgres
import Routes
import Secrets
import ServiceKit
import Store
import WaterQuality

/// Routes of the addresses at which calendar programs read a person's reminders.
enum CalendarFeedRoutes {
    static let all = [create, list, remove]
    /// Those that are not below the API: calendar programs know nothing of it.
    static let outside = [fetch]

    private struct Shown: Sendable {
        var feed: StoredFeed

        static let members: [OutputMember<Shown>] = [
            .member("id", .text, "The id of the feed; not its address.", example: "7") { "\($0.feed.id)" },
            .member("name", .text, "What the calendar is called.", example: "Tanks") { $0.feed.name },
            .member(
                "device", .optional(of: .text), "The one device whose reminders it has; null: all.", example: "pond-1"
            ) {
                $0.feed.device
            },
            .member("alarms", .boolean, "Whether the calendar program is to remind as well.") { $0.feed.alarms },
            .member("madeAt", .timestamp, "When it was made.") { $0.feed.madeAt },
            .member("fetchedAt", .optional(of: .timestamp), "When it was read last; null: never.") {
                $0.feed.fetchedAt
            },
        ]

        static let output = Output<Shown>.object(
            "CalendarFeed", "An address for a calendar program, without the address.", members)
    }

    private struct Made: Sendable {
        var feed: Shown
        var address: String

        static let output = Output<Made>.object(
            "CreatedCalendarFeed", "A feed with its address, which is shown this once.",
            [
                .member(
                    "address", .text, "The address. Whoever has it reads the person's reminders.",
                    example:
                        "https://aqua.example.org/calendar/aqc_0000000000000000000000000000000000000000000000000.ics"
                ) { $0.address },
                .member("feed", Shown.output, "What the list shows of it.") { $0.feed },
            ])
    }

    private static let name = Input.field(
        "name", Format<String>.visibleText(1...64, example: "Tanks"), "What the calendar is called.")
    private static let device = Input<Device.HardwareID?>.optionalField(
        "device", .hardwareID, "The one device whose reminders it has; all unless given.")
    private static let alarms = Input.field(
        "alarms", .boolean, default: false, "Whether the calendar program is to remind as well.")

    private static let create = Route<Caller>(
        .post, "/calendar-feeds", id: "createCalendarFeed", tag: ReminderRoutes.tag, access: .fresh,
        "Make an address for a calendar program",
        text: """
            The address is shown in this answer and never again. Calendar programs read it when they like, some once a day: it is a picture, the \
            message is the reminder. A person has ten at most.
            """,
        inputs: [name, device, alarms, Input<String?>.idempotencyKey],
        answers: .json(.created, Made.output, headers: [.location]),
        problems: [.notFound, .tooManyFeeds],
        creates: { caller, inputs, encoding in
            let token = CalendarToken.generate()
            let origin = caller.scope.services.origin
            let (name, device, alarms) = (inputs[name], inputs[device], inputs[alarms])
            return try await caller.scope.creation(encoding) { transaction, account in
                // One at a time, so that the count holds.
                _ = try transaction.execute(LockAccount(account))
                let tank = try device.map { try transaction.tank(of: $0).key }
                let add = AddCalendarFeed(of: account, hash: token.hash, name: name, tank: tank, alarms: alarms)
                guard let id = try transaction.execute(add).first,
                    let feed = try transaction.execute(ListCalendarFeeds(of: account)).first(where: { $0.id == id })
                else { throw Problem(.tooManyFeeds) }
                return .value(
                    Made(feed: Shown(feed: feed), address: "\(origin.text)/calendar/\(token.text).ics"),
                    headers: [.location: "\(GatewayAPI.base)/calendar-feeds/\(id)"])
            }
        })

    private static let list = Route<Caller>(
        .get, "/calendar-feeds", id: "listCalendarFeeds", tag: ReminderRoutes.tag, access: .session,
        "List my addresses for calendar programs",
        answers: .json(.ok, .list(of: Shown.output))
    ) { caller, _ in
        try await caller.scope.transaction { transaction, account in
            .value(try transaction.execute(ListCalendarFeeds(of: account)).map(Shown.init))
        }
    }

    private static let feed = Input<Int64>.path("feed", .ownershipID, "The id of the feed.")

    private static let remove = Route<Caller>(
        .delete, "/calendar-feeds/{feed}", id: "removeCalendarFeed", tag: ReminderRoutes.tag, access: .session,
        "Revoke an address",
        text: "Nothing is read there from now on.", inputs: [feed], answers: .nothing, problems: [.notFound]
    ) { caller, inputs in
        let feed = inputs[feed]
        let removed = try await caller.scope.transaction { transaction, account in
            try transaction.perform(RemoveCalendarFeed(of: account, feed))
        }
        guard removed > 0 else { throw Problem(.notFound) }
        return .nothing
    }

    private static let file = Input.path("file", Format<String>.text(1...128), "The secret of the address, and .ics.")

    private static let fetch = Route<Caller>(
        .get, "/calendar/{file}", id: "fetchCalendar", tag: ReminderRoutes.tag, access: .anyone, "Read a calendar",
        inputs: [file],
        answers: .text("text/calendar; charset=utf-8", "The calendar.") { $0 }, problems: [.notFound], limit: .feed
    ) { caller, inputs in
        // What is no secret is looked up all the same, so that nothing is learned from how long it takes.
        let text = inputs[file]
        let hash = text.hasSuffix(".ics") ? CalendarToken(String(text.dropLast(4)))?.hash : nil
        let (scope, known) = (caller.scope, caller.headers[.ifNoneMatch])
        return try await evenly(scope.services.settings.beat / 4) {
            let calendar = try await scope.anonymousTransaction { transaction in
                guard
                    let feed = try transaction.execute(EnterFeed(hash: hash ?? [UInt8](repeating: 0, count: 32))).first
                else {
                    throw Problem(.notFound)
                }
                let origin = scope.services.origin.text
                let host = origin.drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != ":" && $0 != "/" }
                return try FedCalendar(feed: feed, host: String(host), link: "\(origin)/care")
                    .text(now: try transaction.execute(ReadClock())[0], from: transaction)
            }
            return answer(calendar, known)
        }
    }

    private static func answer(_ calendar: String, _ known: String?) -> Answer<String> {
        let digest = Data(SHA256.hash(data: Array(calendar.utf8)).prefix(16)).base64EncodedString()
        let tag = EntityTag(digest.filter { $0 != "=" })
        let headers: HTTPFields = [
            .eTag: tag.description, .cacheControl: "private, max-age=900", .xRobotsTag: "noindex",
        ]
        let isKnown = known.map { $0.contains(tag.description) || $0 == "*" } ?? false
        return isKnown ? .notModified(headers: headers) : .value(calendar, headers: headers)
    }
}

extension ProblemType {
    fileprivate static let tooManyFeeds = ProblemType("too-many-calendar-feeds", .conflict)
}
