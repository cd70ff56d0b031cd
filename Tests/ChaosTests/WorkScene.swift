import Chaos

/// A tank that is worked on from the third reading to the seventh. Temperature was too high before and is afterwards; pH
/// becomes too high meanwhile and stays so; oxygen is too high only meanwhile; salinity is critical for one reading.
enum WorkScene {
    static let device = "probe-31"
    static let from = Scene.time(2) + 250_000
    static let until = Scene.time(6) + 250_000

    private static let values = [
        [180, 80, 80, 50], [250, 80, 80, 50], [250, 80, 80, 50],
        [180, 80, 95, 50], [100, 90, 95, 85], [250, 90, 95, 50], [250, 90, 80, 50],
        [250, 90, 80, 50], [180, 80, 80, 50],
    ]

    static func reading(_ number: Int) -> LedgerReading {
        LedgerReading(
            device: device, time: Scene.time(number), values: values[number],
            handedOverAt: Scene.time(number) + 5_000)
    }

    static func fair() -> RoundRecord {
        var record = RoundRecord(
            fault: .kill(.rules), trouble: Scene.time(3)...Scene.time(20), infliction: Scene.time(3)...Scene.time(6),
            throttle: Scene.throttle)
        record.owners = [device: .kim]
        record.workedOn = [device]
        record.readings = values.indices.map(reading)
        record.stored = record.readings.map { StoredSample(device: device, time: $0.time, values: $0.values) }
        record.listed = record.readings.map {
            ListedReading(device: device, time: $0.time, isOfWork: (from..<until).contains($0.time))
        }
        record.work = [
            LedgerWork(device: device, id: "work", from: from, until: until, lengths: until - from...until - from)
        ]
        record.storedWork = [
            StoredWork(device: device, id: "work", from: from, until: until, endedAt: nil, endsAt: until)
        ]
        record.hours = [StoredHour(device: device, start: 0, rolledUp: ["5", "4"], samples: ["5", "4"], worked: 4)]
        episode(0, 1...8, worst: 250, &record)
        episode(1, 7...8, worst: 90, &record)
        episode(3, 4...5, worst: 85, &record)
        tell(1, "alarm", 0, at: 1, openedAt: 1, &record)
        tell(2, "alarm", 3, at: 4, openedAt: 4, &record)
        tell(3, "recovery", 3, at: 5, openedAt: 4, &record)
        tell(4, "reminder", 0, at: 7, openedAt: 1, &record)
        tell(5, "alarm", 1, at: 7, openedAt: 7, &record)
        tell(6, "recovery", 0, at: 8, openedAt: 1, &record)
        tell(7, "recovery", 1, at: 8, openedAt: 7, &record)
        return record
    }

    /// Adds an episode of a parameter that is too high, from one reading to another.
    static func episode(_ position: Int, _ readings: ClosedRange<Int>, worst: Int, _ record: inout RoundRecord) {
        let (openedAt, closedAt) = (Scene.time(readings.lowerBound), Scene.time(readings.upperBound))
        record.episodes.append(
            StoredEpisode(
                device: device, parameter: Water.all[position].number, side: "high", openedAt: openedAt,
                closedAt: closedAt, worst: worst))
        let end = RoundRecord.EpisodeEnd(
            device: device, parameter: Water.all[position].number, openedAt: openedAt)
        record.ends[end] = closedAt + 10_000
    }

    /// Adds an alert about a reading, and its arrival.
    static func tell(
        _ id: Int, _ purpose: String, _ position: Int, at number: Int, openedAt: Int, _ record: inout RoundRecord
    ) {
        let decidedAt = Scene.time(number) + 10_000
        let alert = StoredAlert(
            id: id, uid: "\(id)", device: device, parameter: Water.all[position].number, purpose: purpose,
            openedAt: Scene.time(openedAt), eventTime: Scene.time(number), decidedAt: decidedAt,
            acceptedAt: decidedAt + 30_000, notedAt: decidedAt + 40_000)
        record.alerts.append(alert)
        for endpoint in [RoundRecord.Endpoint.first, .second] {
            record.requests.append(
                WebhookRequest(
                    endpoint: endpoint, id: "alert_\(id)_\(endpoint)", alert: alert.uid, collapseKey: "\(position)",
                    at: decidedAt + 20_000, outcome: .accepted,
                    message: ToldMessage(
                        purpose, of: reading(number), position: position, side: "high", to: .kim,
                        isHard: position == 3 && purpose != "recovery")))
        }
    }

    /// Takes alerts away, with their arrivals.
    static func untell(_ ids: Set<Int>, _ record: inout RoundRecord) {
        record.alerts.removeAll { ids.contains($0.id) }
        record.requests.removeAll { Int($0.alert).map(ids.contains) ?? false }
    }
}
