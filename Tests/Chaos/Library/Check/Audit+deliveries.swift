extension Audit {
    /// Checks that every alert arrives at every endpoint, unless it was over before it could. A repeat is permitted
    /// only if the first arrival may have gone unrecorded.
    static func deliveries(of record: RoundRecord) -> Tally {
        var tally = Tally()
        let arrived = Dictionary(grouping: record.requests, by: \.endpoint)
        for endpoint in record.endpoints {
            let accepted = Set((arrived[endpoint] ?? []).filter { $0.outcome == .accepted }.map(\.alert))
            for alert in record.alerts
            where record.owners[alert.device] == endpoint.person && !accepted.contains(alert.uid)
                && alert.cancelledAt == nil
            {
                tally.note(\.alertsMissed, "the \(endpoint) endpoint did not get \(alert)")
            }
        }
        let known = Set(record.alerts.map(\.uid))
        for request in record.requests where !known.contains(request.alert) {
            tally.note(\.unexplained, "nobody decided the alert of \(request)")
        }
        for requests in arrived.values {
            for (alert, requests) in Dictionary(grouping: requests, by: \.alert) {
                if Set(requests.map(\.id)).count > 1 {
                    tally.note(\.unexplained, "alert \(alert) came with ids \(Set(requests.map(\.id)).sorted())")
                }
                if Set(requests.map(\.collapseKey)).count > 1 {
                    tally.note(\.unexplained, "alert \(alert) came with more than one collapse key")
                }
                tally += repeats(of: requests.sorted { $0.at < $1.at }, record)
            }
        }
        return tally
    }

    /// - Parameter requests: The requests of one alert at one endpoint, in order.
    private static func repeats(of requests: [WebhookRequest], _ record: RoundRecord) -> Tally {
        var tally = Tally()
        for (before, request) in zip(requests, requests.dropFirst()) where before.outcome != .refused {
            tally.duplicates += 1
            let isAmbiguous = before.outcome == .unanswered
            let isTroubled = record.fault.mayRepeatDeliveries(at: request.endpoint) && touches(before.at, record)
            if !isAmbiguous, !isTroubled {
                tally.note(\.unexplained, "nothing explains why \(request) came again")
            }
        }
        return tally
    }

    /// Whether the trouble affects a request: one in flight when it began, or a later one until its end.
    private static func touches(_ time: Int, _ record: RoundRecord) -> Bool {
        let trouble = record.fault.keepsRecordsAway ? record.trouble : record.infliction
        return (trouble.lowerBound - onItsWay...trouble.upperBound + noting).contains(time)
    }

    /// How long before the trouble a request may have arrived without its record being written.
    private static var onItsWay: Int { 3_000_000 }
}
