import Chaos

/// A round in which one device got too warm for a while and everything went as it should; tests spoil it.
enum Scene {
    static let throttle = 2_000_000
    static let key = "probe-1/temperature/range"
    private static let start = 1_800_000_000_000_000

    private static let temperatures = [180, 250, 255, 260, 251, 250, 249, 180, 180]

    private static func values(_ number: Int) -> [Int] { [temperatures[number], 80, 80, 50] }

    /// The correct message to a person about a reading.
    static func message(
        _ purpose: String, of device: String = "probe-1", at number: Int, to person: Person = .kim
    ) -> ToldMessage {
        let reading = LedgerReading(device: device, time: time(number), values: values(number))
        return ToldMessage(purpose, of: reading, position: 0, side: "high", to: person)
    }

    /// The time of the reading with this number: one each half second.
    static func time(_ number: Int) -> Int { start + number * 500_000 }

    /// A record that is too warm from the second reading to the seventh, with an alarm and, after two seconds, a
    /// reminder.
    static func fair(_ fault: Fault = .kill(.rules), asksForReceipts: Bool = true) -> RoundRecord {
        var record = RoundRecord(
            fault: fault, trouble: time(3)...time(20), infliction: time(3)...time(6), throttle: throttle)
        record.owners = ["probe-1": .kim, "probe-2": .lee]
        for number in temperatures.indices {
            let values = values(number)
            record.readings.append(
                LedgerReading(
                    device: "probe-1", time: time(number), values: values, handedOverAt: time(number) + 5_000,
                    receipt: asksForReceipts ? "stored" : nil, asksForReceipt: asksForReceipts))
            record.stored.append(StoredSample(device: "probe-1", time: time(number), values: values))
        }
        record.episodes = [
            StoredEpisode(
                device: "probe-1", parameter: 0, side: "high", openedAt: time(1), closedAt: time(7), worst: 260)
        ]
        record.ends[RoundRecord.EpisodeEnd(device: "probe-1", parameter: 0, openedAt: time(1))] = time(7) + 10_000
        record.alerts = [alert(1, "alarm", at: 1), alert(2, "reminder", at: 5), alert(9, "recovery", at: 7)]
        for endpoint in [RoundRecord.Endpoint.first, .second] {
            for alert in record.alerts { record.requests.append(request(alert, at: endpoint)) }
        }
        return record
    }

    /// - Parameter number: The number of the reading in the alert's text.
    static func alert(
        _ id: Int, _ purpose: String, at number: Int, acceptedAfter delay: Int = 30_000, notedAfter: Int = 10_000
    ) -> StoredAlert {
        let decidedAt = time(number) + 10_000
        return StoredAlert(
            id: id, uid: "\(id)", device: "probe-1", parameter: 0, purpose: purpose, openedAt: time(1),
            eventTime: time(number), decidedAt: decidedAt, acceptedAt: decidedAt + delay,
            notedAt: decidedAt + delay + notedAfter)
    }

    static func request(
        _ alert: StoredAlert, at endpoint: RoundRecord.Endpoint, after delay: Int = 20_000,
        _ outcome: WebhookRequest.Outcome = .accepted
    ) -> WebhookRequest {
        WebhookRequest(
            endpoint: endpoint, id: "alert_0_\(alert.id)_\(endpoint)", alert: alert.uid, collapseKey: key,
            at: alert.decidedAt + delay, outcome: outcome,
            message: message(alert.purpose, at: (alert.eventTime - start) / 500_000))
    }
}
