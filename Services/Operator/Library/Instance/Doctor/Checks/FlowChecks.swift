import Postgres
import WaterQuality

/// Looks at the backlogs, the devices' clocks, and people whom no alert would reach.
struct FlowChecks {
    let connection: PostgresConnection

    private static let topic = "flow"
    /// In seconds. A pipeline that keeps up needs a fraction of one.
    private static let patience = 60.0
    /// Time within which an Ingestor that has just taken a seat asks the broker and notes the answer.
    private static let pauseBetweenLooks = Duration.seconds(15)

    func run() async throws -> [Finding] {
        try await services() + seats() + backlogs() + refused() + devices() + rejects() + clocks() + people()
    }

    /// Notices, not faults: the doctor may run before the services start.
    private func services() async throws -> [Finding] {
        try await connection.execute(FindAbsentServices(roles: ServiceRights.roles)).map { role in
            .notice(
                Self.topic, "\(role) has no connection to the database",
                mend: "Start \(role.replacing("_", with: "-")), unless it is meant to be stopped.")
        }
    }

    private func seats() async throws -> [Finding] {
        let behind = try await seatsBehind().map { seat, seconds in
            Finding.wrong(
                Self.topic,
                "for \(Int(seconds)) s the broker has not answered the Ingestor on seat \(seat), or has held messages back: nobody is told of "
                    + "a silence meanwhile",
                mend:
                    "Does the broker hang? Look at its log, and start it again; when aqua-ingestor cannot keep up, start another."
            )
        }
        let idle = try await connection.execute(FindIdleSeats())
        return behind
            + idle.map { seat in
                .wrong(
                    Self.topic,
                    "the broker session of seat \(seat) is open and no Ingestor sits there: messages wait in it",
                    mend: "Start aqua-ingestor: one that runs takes the seat over, drains its session and ends it.")
            }
    }

    /// Seats that are behind at two looks: at the first, the row may be from before its Ingestor started.
    private func seatsBehind() async throws -> [(seat: Int16, seconds: Double)] {
        let before = Set(try await connection.execute(FindSeatsBehind()).map(\.seat))
        guard !before.isEmpty else { return [] }
        try await Task.sleep(for: Self.pauseBetweenLooks)
        return try await connection.execute(FindSeatsBehind()).filter { before.contains($0.seat) }
    }

    private func backlogs() async throws -> [Finding] {
        guard let backlogs = try await connection.execute(MeasureBacklogs()).first else { return [] }
        return [
            finding(
                backlogs.batches, "batches of readings wait for a decision", since: "the oldest for",
                service: "aqua-rules"),
            finding(backlogs.alerts, "alerts wait to be sent", since: "the oldest for", service: "aqua-notifier"),
            finding(
                backlogs.deliveries, "deliveries are pending", since: "the oldest overdue by", service: "aqua-notifier"),
        ]
    }

    /// Messages that the database refused, set aside so that they stop no others.
    private func refused() async throws -> [Finding] {
        try await connection.execute(FindRefusedMessages()).map { topic, count, detail in
            .wrong(
                Self.topic,
                "the database refused \(count) message\(count == 1 ? "" : "s") of \(topic) today: \(detail)",
                mend:
                    "The messages stand in the table reject. What raises the error: a trigger, a check or an extension of your own?"
            )
        }
    }

    private func finding(
        _ backlog: MeasureBacklogs.Backlog, _ what: String, since: String, service: String
    ) -> Finding {
        let age = "\(max(0, Int(backlog.seconds))) s"
        guard backlog.count > 0 else { return .ok(Self.topic, "no \(what)") }
        guard backlog.seconds > Self.patience else {
            return .ok(Self.topic, "\(backlog.count) \(what), \(since) \(age)")
        }
        return .wrong(
            Self.topic, "\(backlog.count) \(what), \(since) \(age)",
            mend: "Is \(service) running? Look at its log; when it runs and keeps falling behind, start another.")
    }

    private func devices() async throws -> [Finding] {
        let silent = try await connection.execute(FindSilentDevices())
        guard !silent.isEmpty else { return [.ok("devices", "every device that somebody owns was heard today")] }
        return silent.map { device, wasHeard in
            wasHeard
                ? .notice(
                    "devices", "\(device) has not been heard for a day",
                    mend:
                        "Does it have power and network, and does its clock run? Its owner is not alerted of anything.")
                : .wrong(
                    "devices", "\(device) is linked and was never heard",
                    mend:
                        "Compare the MQTT user, the topic aqua/v1/\(device)/readings and the broker's address in its firmware; "
                        + "its password is lost? Run: aqua device rotate-key \(device)")
        }
    }

    private func rejects() async throws -> [Finding] {
        let rows = try await connection.execute(FindUnreadableDevices())
        guard let devices = rows.first?.devices else {
            return [.ok("devices", "everything that devices sent within a day could be read")]
        }
        let more = Int(devices) - rows.count
        return rows.map { row in
            .notice(
                "devices",
                "\(row.device) sent \(row.messages) \(row.messages == 1 ? "message" : "messages") within a day that could not be read, "
                    + "the last of them as \(row.reason): \(ForeignText.shown(row.detail, longest: 200))",
                mend: "Run: aqua device rejects \(row.device)")
        }
            + (more > 0
                ? [
                    .notice(
                        "devices", "messages of \(more) more devices could not be read", mend: "Look at these first.")
                ] : [])
    }

    private func clocks() async throws -> [Finding] {
        let found = try await wrongClocks() + distantClocks()
        return found.isEmpty ? [.ok("devices", "no device's clock is known to be wrong")] : found
    }

    private func wrongClocks() async throws -> [Finding] {
        try await connection.execute(FindWrongClocks()).map { device, lag, steppedAt in
            guard let lag else {
                return .wrong(
                    "devices",
                    "\(device)'s readings come late by its clock, and nothing proves why: nobody is alerted of them",
                    mend:
                        "When it was offline it sends what it kept, and this passes. Else have its firmware send UTC, or no time."
                )
            }
            return .notice(
                "devices",
                "\(device)'s clock is \(Self.span(lag)) \(lag < 0 ? "ahead" : "behind")"
                    + (steppedAt.map { ", put back at \($0)" } ?? "")
                    + "; its readings are as old as they would be less that",
                mend: "Have its firmware send UTC: its history and what its alerts say of times are off by as much.")
        }
    }

    /// Clocks that the rules engine does not judge, because they are too far off.
    private func distantClocks() async throws -> [Finding] {
        try await connection.execute(FindDistantClocks()).map { device, isBelieved in
            isBelieved
                ? .wrong(
                    "devices",
                    "\(device)'s readings are of more than 7 days ago by its clock: they are history, and nobody is alerted of them",
                    mend:
                        "When it was offline it sends what it kept, and this passes. Else have its firmware send UTC, or no time."
                )
                : .notice(
                    "devices",
                    "\(device)'s clock is ahead by more than 5 min, or was never set: its readings count from when they come",
                    mend: "Have its firmware set its clock and send UTC, or no time.")
        }
    }

    /// A length of time such as `9 h`, `1 h 30 min` or `4 min`.
    static func span(_ seconds: Int32) -> String {
        let minutes = (Int(seconds).magnitude + 30) / 60
        let parts = [minutes >= 60 ? "\(minutes / 60) h" : nil, minutes % 60 > 0 ? "\(minutes % 60) min" : nil]
        return parts.compactMap(\.self).joined(separator: " ")
    }

    private func people() async throws -> [Finding] {
        let groups = try await connection.execute(FindUnreachablePeople())
        guard !groups.isEmpty else { return [.ok("people", "everybody who owns a device has an endpoint")] }
        return groups.map { group in
            let who = group.emails + (group.others > 0 ? " and \(group.others) more" : "")
            return group.wasReachable
                ? .wrong(
                    "people",
                    "\(group.count) people get no alerts, as the receivers of their endpoints are gone: \(who)",
                    mend: "Run for each, when there is a receiver: aqua endpoint add EMAIL --webhook URL")
                : .notice(
                    "people", "\(group.count) people own a device and get no alerts, as they have no endpoint: \(who)",
                    mend:
                        "Have them allow notifications in the web app, or run for each: aqua endpoint add EMAIL --webhook URL"
                )
        }
    }
}
