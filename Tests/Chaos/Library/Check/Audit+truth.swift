extension Audit {
    /// Checks that messages are true when they are sent: no alarm long after the decision that its episode is over, no
    /// all-clear after an alarm of an open episode, and no alert withheld as over that was not.
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
            // Where nothing is said, or that it was over: an endpoint that is gone says nothing of the episode.
            guard let cancelledAt = alert.cancelledAt, alert.cancelledBecause?.contains("it was over") ?? true else {
                continue
            }
            // Both times are those of a transaction's start, and one transaction may have waited for the other.
            let endedAt = record.ends[alert.episode]
            if endedAt.map({ $0 > cancelledAt + noting }) ?? true {
                let end = endedAt.map { "ended at \($0)" } ?? "has not ended"
                tally.note(\.alertsMissed, "\(alert) was cancelled while its episode went on, which \(end)")
            }
        }
        return tally
    }

    /// A newer alarm that arrived at the same endpoint before, and whose episode was open at the last check of the
    /// all-clear.
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

    /// The longest time from the last check of an alert to its arrival: a second and the transport, plus the time that
    /// the fault held it up.
    private static func sending(_ record: RoundRecord) -> Int {
        5_000_000 + record.infliction.upperBound - record.infliction.lowerBound
    }
}

extension StoredAlert {
    fileprivate var episode: RoundRecord.EpisodeEnd {
        RoundRecord.EpisodeEnd(device: device, parameter: parameter, openedAt: openedAt)
    }
}
