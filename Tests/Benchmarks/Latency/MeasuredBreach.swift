import TestSupport

/// One alert that arrived.
struct MeasuredBreach: Sendable {
    /// From just before the publish call to the arrival of the webhook.
    let latency: Duration
    let stages: Stages

    /// The stages of the latency, between the times that the system recorded; they add up to it.
    struct Stages: Sendable {
        let publishToReceived: Duration
        let receivedToDecided: Duration
        let decidedToLeased: Duration
        let leasedToArrived: Duration
    }
}

/// The benchmark's own observation of a breach.
struct ObservedBreach: Sendable {
    let device: String
    /// Microseconds since the Unix epoch, on the clock that the services record.
    let publishedAt: Int64
    let latency: Duration
}

/// The times of the system's steps, in microseconds since the Unix epoch.
struct NotedTimes: Sendable {
    let receivedAt: Int64
    /// The start of the transaction that decides.
    let decidedAt: Int64
    /// The start of the transaction that leases the delivery, shortly before it is sent.
    let leasedAt: Int64

    /// The times for each device with an alert. Each has one alert with one attempt; anything else is a failure.
    static func read(_ database: TestDatabase) async throws -> [String: NotedTimes] {
        let table = try await database.sql(
            """
            SELECT d.hardware_id, (extract(epoch FROM a.received_at) * 1000000)::bigint,
                (extract(epoch FROM a.decided_at) * 1000000)::bigint,
                (extract(epoch FROM t.started_at) * 1000000)::bigint
            FROM alert a JOIN device d USING (slot, device_id) JOIN delivery_attempt t USING (slot, alert_id)
            """)
        var times: [String: NotedTimes] = [:]
        for line in table.split(separator: "\n") {
            let cells = line.split(separator: "|")
            guard cells.count == 4, let received = Int64(cells[1]), let decided = Int64(cells[2]),
                let leased = Int64(cells[3])
            else { throw TestSupportError("The times of an alert are not what they should be: \(line)") }
            let noted = NotedTimes(receivedAt: received, decidedAt: decided, leasedAt: leased)
            guard times.updateValue(noted, forKey: String(cells[0])) == nil else {
                throw TestSupportError("\(cells[0]) had more than one alert, or more than one attempt to deliver it")
            }
        }
        return times
    }
}

extension MeasuredBreach {
    init(_ observed: ObservedBreach, _ noted: NotedTimes) {
        func between(_ start: Int64, _ end: Int64) -> Duration { .microseconds(end - start) }
        let untilLeased = between(observed.publishedAt, noted.leasedAt)
        latency = observed.latency
        stages = Stages(
            publishToReceived: between(observed.publishedAt, noted.receivedAt),
            receivedToDecided: between(noted.receivedAt, noted.decidedAt),
            decidedToLeased: between(noted.decidedAt, noted.leasedAt),
            leasedToArrived: observed.latency - untilLeased)
    }
}
