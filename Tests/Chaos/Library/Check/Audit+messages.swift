extension Audit {
    /// Every message states the device's measurement in its person's language and unit, with a valid signature. Nobody
    /// is told about another person's device.
    static func messages(of record: RoundRecord) -> Tally {
        struct Moment: Hashable {
            let device: String
            let time: Int
        }
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
            let due = ToldMessage(
                alert.purpose, of: reading, position: position, side: message.side, to: request.endpoint.person)
            if message != due { tally.note(\.messagesWrong, "\(message) should be \(due)") }
            let episode = record.episodes.first {
                $0.device == alert.device && $0.parameter == alert.parameter && $0.openedAt == alert.openedAt
            }
            if episode?.side != message.side { tally.note(\.messagesWrong, "the wrong side in \(request)") }
        }
        return tally
    }
}
