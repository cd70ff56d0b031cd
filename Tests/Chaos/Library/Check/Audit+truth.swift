extension Audit {
    /// What is sent is true when it is sent: no alarm comes long after it was decided that its episode is over, no all-clear after
    /// an alarm of an episode that goes on, and nothing is withheld as over that was not.
    static func truth(of record: RoundRecord) -> Tally {
        var tally = Tally()
        let alerts = Dictionary(record.alerts.map { ($0.uid, $0) }) { first, _ in first }
        for request in record.requests {
            guard let alert = alerts[request.alert] else { continue }
            if alert.purpose == "recovery" {
                if let newer = openAlarm(after: alert, at: request, record) {
                    tally.note(\.messagesWrong, "\(request) says that all is well after \(newer)")
                }
            } else if let endedAt = record.ends[alert.episode], request.at > endedAt + sending(record) {
                tally.note(\.messagesWrong, "\(request) tells of what was over at \(endedAt)")
            }
        }
        for alert in record.alerts where alert.purpose != "recovery" {
            guard let cancelledAt = alert.cancelledAt else { continue }
            // Both are noted with the beginning of the transaction, of which one may have waited for the other.
            if record.ends[alert.episode].map({ $0 > cancelledAt + noting }) ?? true {
                tally.note(\.alertsMissed, "\(alert) was cancelled while its episode went on")
            }
        }
        return tally
    }

    /// An alarm that came to the same endpoint before, is newer, and whose episode was open when the all-clear was looked at last.
    private static func openAlarm(
        after allClear: StoredAlert, at request: WebhookRequest, _ record: RoundRecord
    ) -> StoredAlert? {
        let earlier = Set(
            record.requests.filter {
                $0.endpoint == request.endpoint && $0.at < request.at && $0.outcome == .accepted
            }.map(\.alert))
        return record.alerts.first { alert in
            alert.purpose != "recovery" && alert.device == allClear.device && alert.parameter == allClear.parameter
                && alert.id > allClear.id && earlier.contains(alert.uid)
                && alert.decidedAt < request.at - sending(record)
                && request.at < record.ends[alert.episode] ?? .max
        }
    }

    /// How long a request may take from the last look at what it says: a second and its way, and as long as the fault held it up.
    private static func sending(_ record: RoundRecord) -> Int {
        5_000_000 + record.infliction.upperBound - record.infliction.lowerBound
    }
}

extension StoredAlert {
    fileprivate var episode: RoundRecord.EpisodeEnd {
        RoundRecord.EpisodeEnd(device: device, parameter: parameter, openedAt: openedAt)
    }
}
