extension Audit {
    /// Checks that every message states the device's measurement in its person's language and unit, with a valid
    /// signature, and that nobody gets a message about another person's device.
    static func messages(of record: RoundRecord) -> Tally {
        var tally = Tally()
        let alerts = Dictionary(record.alerts.map { ($0.uid, $0) }) { first, _ in first }
        let readings = Dictionary(record.readings.map { (Moment(device: $0.device, time: $0.time), $0) }) { first, _ in
            first
        }
        for request in record.requests {
            let message = request.message
            if !request.isGenuine { tally.note(\.messagesWrong, "nobody believes the signature of \(request)") }
            if record.owners[message.device] != request.endpoint.person {
                tally.note(\.messagesWrong, "a foreign device in \(request)")
            }
            // A missing decision is reported elsewhere.
            guard let alert = alerts[request.alert] else { continue }
            guard alert.device == message.device,
                let position = Water.all.firstIndex(where: { $0.number == alert.parameter }),
                let reading = readings[Moment(device: alert.device, time: message.eventTime)]
            else {
                tally.note(\.messagesWrong, "no reading accounts for \(request)")
                continue
            }
            // A reminder that arrived before the water left its range again becomes the next episode's alarm in the
            // database.
            let isEarlier = alert.purpose == "alarm" && message.eventTime < alert.openedAt
            let due = ToldMessage(
                isEarlier && message.purpose == "reminder" ? "reminder" : alert.purpose, of: reading,
                position: position, side: message.side, to: request.endpoint.person,
                isHard: record.workedOn.contains(alert.device) && Water.all[position].isHard(reading.values[position]))
            // Who knows that it was as far out while somebody worked says that it still is.
            var still = ToldMessage(
                "reminder", of: reading, position: position, side: message.side, to: request.endpoint.person,
                isHard: record.workedOn.contains(alert.device) && Water.all[position].isHard(reading.values[position]))
            still.purpose = due.purpose
            let isRight =
                message == due
                || message == still
                    && goesOnAfterWork(
                        alert, position, message.side, until: message.eventTime, record)
            if !isRight {
                let near = surroundings(of: message, position, record)
                tally.note(\.messagesWrong, "\(message) of \(alert) should be \(due); \(near)")
            }
            if !sides(of: alert, record).contains(message.side) {
                tally.note(\.messagesWrong, "the wrong side in \(request)")
            }
        }
        return tally
    }

    /// The device's values of the parameter around a message, and the work on its water, in milliseconds from the message's reading.
    private static func surroundings(of message: ToldMessage, _ position: Int, _ record: RoundRecord) -> String {
        let readings = (record.earlierReadings + record.readings).filter {
            $0.device == message.device && abs($0.time - message.eventTime) < 20_000_000
        }.sorted { $0.time < $1.time }.map { "\(($0.time - message.eventTime) / 1000): \($0.values[position])" }
        let work = record.work.filter { $0.device == message.device }.map {
            "\(($0.from - message.eventTime) / 1000)..<\(($0.end - message.eventTime) / 1000)"
        }
        return "readings: \(readings), work: \(work)"
    }

    /// Whether the first readings after work on the water were out on a side, as it had been: in an episode that was open, or by the reading before.
    private static func goesOnAfterWork(
        _ alert: StoredAlert, _ position: Int, _ side: String, until time: Int, _ record: RoundRecord
    ) -> Bool {
        let water = Water.all[position]
        let readings = (record.earlierReadings + record.readings).filter { $0.device == alert.device }
        func isOut(_ reading: LedgerReading) -> Bool {
            side == "high"
                ? reading.values[position] > water.maximum : reading.values[position] < water.minimum
        }
        // An alert whose text was replaced since is of a later episode in the database.
        let openedAt =
            record.episodes.lazy.filter {
                $0.device == alert.device && $0.parameter == alert.parameter && $0.side == side && $0.openedAt <= time
            }.map(\.openedAt).max() ?? alert.openedAt
        return record.work.contains { work in
            guard work.device == alert.device, work.end <= time,
                let first = readings.filter({ $0.time >= work.end }).min(by: { $0.time < $1.time }), isOut(first)
            else { return false }
            guard openedAt >= work.end else { return true }
            // Of those after the work the engine may have decided a later one first; all were out until then.
            let before = readings.filter { $0.time < first.time }.max { $0.time < $1.time }
            let since = readings.filter { $0.time >= first.time && $0.time <= openedAt }
            return since.allSatisfy(isOut) && before.map(isOut) ?? false
        }
    }

    /// The sides that an alert may have. An alarm has its episode's side. An all-clear has the side of the last alarm
    /// whose arrival was on record at its decision, whatever was not told since; an alarm whose arrival was recorded in
    /// that moment or later may or may not count.
    private static func sides(of alert: StoredAlert, _ record: RoundRecord) -> Set<String> {
        if alert.purpose == "recovery" {
            let alarms = record.alerts.filter {
                $0.purpose != "recovery" && $0.device == alert.device && $0.parameter == alert.parameter
                    && $0.id < alert.id && $0.acceptedAt != nil
            }.sorted { $0.id < $1.id }
            let known = alarms.last { $0.notedAt.map { $0 < alert.decidedAt - noting } ?? false }
            return Set((alarms.filter { $0.id > known?.id ?? 0 } + [known].compactMap { $0 }).map(\.side))
        }
        let episode = record.episodes.first {
            $0.device == alert.device && $0.parameter == alert.parameter && $0.openedAt == alert.openedAt
        }
        return Set([episode?.side].compactMap { $0 })
    }
}
