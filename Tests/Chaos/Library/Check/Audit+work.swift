import TestSupport

extension Audit {
    /// The readings of a watch that decide: all that are not of work on the water, and of work those beyond the critical
    /// maximum, with the return that ends what they began.
    /// - Parameter position: The parameter's place in `Water.all`.
    static func deciding(
        _ readings: [NaiveCalculation.Reading], position: Int, of device: String, _ record: RoundRecord
    ) -> [NaiveCalculation.Reading] {
        let water = Water.all[position]
        let work = record.work.filter { $0.device == device }
        guard !work.isEmpty else { return readings }
        var isCritical = false
        return readings.filter { reading in
            let isOutside = reading.value > water.maximum || reading.value < water.minimum
            let isOfWork = work.contains { $0.contains(reading.time) }
            let decides = !isOfWork || water.isHard(reading.value) || isCritical && !isOutside
            // At the limit itself the episode goes on.
            if decides, (water.minimum + 1..<water.maximum).contains(reading.value) { isCritical = false }
            if water.isHard(reading.value) { isCritical = true }
            return decides
        }
    }

    /// Checks work on the water: it is stored as its person was told and has ended by itself, nothing but critical values
    /// was told of it, and its readings are listed with their flag. How it bears on episodes and on roll-ups is checked
    /// with those.
    static func work(of record: RoundRecord) -> Tally {
        var tally = Tally()
        stored(record, &tally)
        told(record, &tally)
        listed(record, &tally)
        return tally
    }

    private static func stored(_ record: RoundRecord, _ tally: inout Tally) {
        let stored = Dictionary(grouping: record.storedWork, by: \.id)
        for work in record.work {
            guard let found = stored[work.id]?.first, stored[work.id]?.count == 1 else {
                tally.note(\.workWrong, "\(work) is not stored once")
                continue
            }
            let told = StoredWork(
                device: work.device, id: work.id, from: work.from, until: work.until, endedAt: work.endedAt,
                endsAt: work.end)
            if found != told { tally.note(\.workWrong, "\(found) should be \(told)") }
            if !work.lengths.contains(work.until - work.from) {
                tally.note(\.workWrong, "\(work) is not as long as its person asked for")
            }
            let endedInTime = work.endedAt.map { work.finishing?.contains($0) ?? false } ?? (work.finishing == nil)
            if !endedInTime {
                tally.note(\.workWrong, "\(work) did not end when it was finished")
            }
            if found.endsAt > record.trouble.upperBound { tally.note(\.workWrong, "\(found) goes on") }
        }
        let known = Set(record.work.map(\.id))
        for work in record.storedWork where !known.contains(work.id) {
            tally.note(\.workWrong, "nobody began \(work)")
        }
    }

    private static func told(_ record: RoundRecord, _ tally: inout Tally) {
        let readings = Dictionary(record.readings.map { (Moment(device: $0.device, time: $0.time), $0) }) { first, _ in
            first
        }
        func isOfWork(_ moment: Moment) -> Bool {
            record.work.contains { $0.device == moment.device && $0.contains(moment.time) }
        }
        func isHard(_ moment: Moment, _ position: Int) -> Bool {
            readings[moment].map { Water.all[position].isHard($0.values[position]) } ?? false
        }
        /// Whether somebody was told of the critical value whose end this is.
        func endsCritical(_ moment: Moment, _ position: Int) -> Bool {
            record.alerts.contains {
                $0.purpose != "recovery" && $0.device == moment.device && $0.parameter == Water.all[position].number
                    && isHard(Moment(device: $0.device, time: $0.eventTime), position)
            }
        }
        func check(_ what: Any, _ moment: Moment, _ position: Int?, _ purpose: String) {
            guard let position, isOfWork(moment) else { return }
            let may = purpose == "recovery" ? endsCritical(moment, position) : isHard(moment, position)
            if !may { tally.note(\.workWrong, "\(what) was told of work on the water") }
        }
        for alert in record.alerts {
            let position = Water.all.firstIndex { $0.number == alert.parameter }
            check(alert, Moment(device: alert.device, time: alert.eventTime), position, alert.purpose)
        }
        for request in record.requests {
            let message = request.message
            let position = Water.all.firstIndex { $0.parameter == message.parameter }
            check(request, Moment(device: message.device, time: message.eventTime), position, message.purpose)
        }
    }

    private static func listed(_ record: RoundRecord, _ tally: inout Tally) {
        let listed = Dictionary(grouping: record.listed) { Moment(device: $0.device, time: $0.time) }
        let devices = Set(record.work.map(\.device))
        for reading in record.readings + record.earlierReadings where devices.contains(reading.device) {
            let isOfWork = record.work.contains { $0.device == reading.device && $0.contains(reading.time) }
            if isOfWork { tally.worked += 1 }
            let flags = listed[Moment(device: reading.device, time: reading.time)]?.map(\.isOfWork) ?? []
            if flags != [isOfWork] {
                tally.note(
                    \.workWrong,
                    "the reading of \(reading.device) at \(reading.time) is listed as \(flags), not as \([isOfWork]) of work"
                )
            }
        }
    }
}
