import Chaos
import Testing

/// The checker's findings about work on the water.
@Suite struct WorkAuditTests {
    private func tally(_ spoil: (inout RoundRecord) -> Void = { _ in }) -> Tally {
        var record = WorkScene.fair()
        spoil(&record)
        return Audit(record).tally
    }

    @Test func whatIsRightPasses() {
        let tally = tally()
        #expect(tally.isClean, "\(tally.findings)")
        #expect(tally.worked == 4 && tally.workedHours == 1)
        #expect(tally.episodesExpected == 3 && tally.alertsExpected == 4)
    }

    // MARK: Told

    @Test func nothingButCriticalValuesIsToldOfWork() {
        let opened = tally { record in
            WorkScene.episode(2, 4...6, worst: 95, &record)
            WorkScene.tell(20, "alarm", 2, at: 4, openedAt: 4, &record)
            WorkScene.tell(21, "recovery", 2, at: 6, openedAt: 4, &record)
        }
        #expect(opened.workWrong == 6, "an alarm and an all-clear, each with two messages")
        #expect(opened.episodesWrong == 1)
        let reminded = tally { WorkScene.tell(20, "reminder", 0, at: 5, openedAt: 1, &$0) }
        #expect(reminded.workWrong == 3)
        // Between the values beyond the limits and those beyond the critical one.
        let lesser = tally { record in
            for index in record.readings.indices where record.readings[index].time == Scene.time(4) {
                record.readings[index].values[3] = 75
                record.stored[index].values[3] = 75
            }
        }
        #expect(lesser.workWrong == 6)
    }

    @Test func aTextIsNotReplacedByAValueOfWork() {
        let replaced = tally { record in
            for index in record.requests.indices where record.requests[index].alert == "1" {
                record.requests[index].message = ToldMessage(
                    "alarm", of: WorkScene.reading(5), position: 0, side: "high", to: .kim)
            }
        }
        #expect(replaced.workWrong == 2)
    }

    @Test func aCriticalValueOfWorkIsTold() {
        let untold = tally { WorkScene.untell([2, 3], &$0) }
        #expect(untold.alertsMissed == 1)
        let forgotten = tally { record in
            WorkScene.untell([2, 3], &record)
            record.episodes.removeAll { $0.parameter == Water.all[3].number }
        }
        #expect(forgotten.alertsMissed == 1 && forgotten.episodesWrong == 1)
        let named = tally { record in
            for index in record.requests.indices where record.requests[index].alert == "2" {
                record.requests[index].message = ToldMessage(
                    "alarm", of: WorkScene.reading(4), position: 3, side: "high", to: .kim)
            }
        }
        #expect(named.messagesWrong == 2, "it names the wrong limit")
    }

    // MARK: Episodes

    @Test func whatIsOpenWaitsForTheEnd() {
        func closed(at reading: Int) -> Int {
            tally { $0.episodes[0].closedAt = Scene.time(reading) }.episodesWrong
        }
        #expect(closed(at: 8) == 0)
        #expect(closed(at: 3) == 2 && closed(at: 4) == 2)
    }

    @Test func whatGoesOnAfterTheEndIsNotLost() {
        let lost = tally { record in
            WorkScene.untell([5, 7], &record)
            record.episodes.removeAll { $0.parameter == Water.all[1].number }
        }
        #expect(lost.episodesWrong == 1 && lost.alertsMissed == 1)
        #expect(tally { WorkScene.untell([4], &$0) }.alertsMissed == 1, "a reminder was due by then")
        // An engine for which the work never ended.
        let endless = tally { record in
            record.work[0].until += 1_000_000
            record.work[0].lengths = 3_000_000...3_000_000
            record.storedWork[0].until += 1_000_000
            record.storedWork[0].endsAt += 1_000_000
        }
        #expect(endless.episodesWrong > 0)
    }

    // MARK: Work

    @Test func workIsKeptAsItsPersonWasTold() {
        #expect(tally { $0.storedWork = [] }.workWrong == 1)
        #expect(tally { $0.storedWork.append($0.storedWork[0]) }.workWrong == 1)
        #expect(tally { $0.storedWork[0].until += 1 }.workWrong == 1)
        #expect(tally { $0.storedWork[0].device = "probe-1" }.workWrong == 1)
        let foreign = tally { record in
            record.storedWork.append(record.storedWork[0])
            record.storedWork[1].id = "another"
        }
        #expect(foreign.workWrong == 1, "nobody began it")
        #expect(tally { $0.work[0].lengths = 60_000_000...120_000_000 }.workWrong == 1, "it was extended in vain")
    }

    @Test func workHasEnded() {
        let end = WorkScene.until
        func finished(_ endedAt: Int?, in span: ClosedRange<Int>?) -> Int {
            tally { record in
                record.work[0].until += 60_000_000
                record.work[0].lengths = 62_000_000...62_000_000
                (record.work[0].endedAt, record.work[0].finishing) = (endedAt, span)
                record.storedWork[0].until += 60_000_000
                (record.storedWork[0].endedAt, record.storedWork[0].endsAt) = (endedAt, record.work[0].end)
            }.workWrong
        }
        #expect(finished(end, in: end - 1...end + 1) == 0)
        #expect(finished(end, in: end + 1...end + 2) == 1)
        #expect(finished(end, in: nil) == 1, "nobody finished it")
        #expect(finished(nil, in: end - 1...end + 1) > 0, "it went on")
        #expect(finished(nil, in: nil) > 0, "it goes on when all is over")
    }

    @Test func whatIsStillOutAfterTheWorkIsSaidSo() {
        func wrong(_ number: Int, _ spoil: (inout RoundRecord) -> Void = { _ in }) -> Int {
            tally { record in
                for index in record.requests.indices
                where record.requests[index].message.eventTime == Scene.time(number) {
                    guard record.requests[index].message.purpose == "alarm" else { continue }
                    record.requests[index].message.title.replace(" is ", with: " is still ")
                }
                spoil(&record)
            }.messagesWrong
        }
        #expect(wrong(7) == 0)
        #expect(
            wrong(7) { record in
                // The water is right once, and wrong again before the arrival is on record.
                WorkScene.episode(1, 9...9, worst: 90, &record)
                for index in record.alerts.indices where record.alerts[index].id == 5 {
                    record.alerts[index].openedAt = Scene.time(9)
                }
            } == 0, "its text was replaced afterwards")
        #expect(wrong(1) > 0, "nobody had worked")
        #expect(wrong(4) > 0, "somebody works")
        #expect(wrong(7) { $0.readings[6].values[1] = 80 } > 0, "it was right before")
    }

    // MARK: Flags

    @Test func readingsOfWorkCarryTheirFlag() {
        for index in 0..<9 { #expect(tally { $0.listed[index].isOfWork.toggle() }.workWrong == 1) }
        #expect(tally { $0.listed.remove(at: 4) }.workWrong == 1)
        #expect(tally { $0.listed.append($0.listed[4]) }.workWrong == 1)
        func earlier(isOfWork: Bool) -> Tally {
            tally { record in
                let time = WorkScene.from - 3_600_000_000
                record.work.append(record.work[0])
                (record.work[1].id, record.work[1].from, record.work[1].until) = ("earlier", time, time + 2_000_000)
                record.storedWork.append(
                    StoredWork(
                        device: WorkScene.device, id: "earlier", from: time, until: time + 2_000_000, endedAt: nil,
                        endsAt: time + 2_000_000))
                record.earlierReadings = [
                    LedgerReading(device: WorkScene.device, time: time + 1, values: Water.calm)
                ]
                record.listed.append(ListedReading(device: WorkScene.device, time: time + 1, isOfWork: isOfWork))
            }
        }
        #expect(earlier(isOfWork: true).isClean && earlier(isOfWork: true).worked == 5)
        #expect(earlier(isOfWork: false).workWrong == 1)
    }

    @Test func anHourCountsWorkApart() {
        #expect(tally { $0.hours[0].rolledUp = ["9", "4"] }.hoursWrong == 1)
        #expect(tally { $0.hours[0].rolledUp = ["5", "0"] }.hoursWrong == 1)
    }
}
