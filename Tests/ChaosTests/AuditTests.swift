import Chaos
import Testing

/// The checker passes a correct record, and can fail: each kind of loss that it has to find is shown to it.
@Suite struct AuditTests {
    private func tally(_ spoil: (inout RoundRecord) -> Void = { _ in }) -> Tally {
        var record = Scene.fair()
        spoil(&record)
        return Audit(record).tally
    }

    @Test func whatIsRightPasses() {
        let tally = tally()
        #expect(tally.isClean, "\(tally.findings)")
        #expect(tally.handedOver == 9 && tally.episodesExpected == 1 && tally.alertsExpected == 2)
        #expect(tally.duplicates == 0)
    }

    // MARK: Readings

    @Test func aLostReading() {
        let tally = tally { $0.stored.remove(at: 8) }
        #expect(tally.lost == 1 && tally.lostWithoutReceipt == 0)
    }

    @Test func aReadingWithOtherValues() {
        #expect(tally { $0.stored[8].values[1] = 81 }.lost == 1)
    }

    @Test func aReadingThatNeverLeftItsDevice() {
        #expect(tally { $0.readings[8].handedOverAt = nil }.lost == 1)
    }

    @Test func aReadingWithoutTheReceiptThatWasAskedFor() {
        #expect(tally { $0.readings[8].receipt = nil }.lost == 1)
        #expect(tally { $0.readings[8].receipt = "rejected" }.lost == 1)
    }

    @Test func aSilenceThatWasNone() {
        func wrong(_ seconds: Int) -> Int {
            tally { $0.silences = [StoredSilence(device: "probe-1", decidedAt: Scene.time(0) + seconds * 1_000_000)] }
                .silencesWrong
        }
        #expect(wrong(5) == 1 && wrong(40) == 1)
        #expect(wrong(600) == 0, "nothing measures between two rounds")
    }

    @Test func aDerivedValueThatIsWrong() {
        #expect(tally { $0.derivedWrong = ["probe-1 at 5"] }.derivedWrong == 1)
    }

    @Test func aReadingStoredTwice() {
        #expect(tally { $0.stored.append($0.stored[8]) }.storedTwice == 1)
        // A reading stored under a time at which nothing was measured.
        #expect(tally { $0.stored.append(StoredSample(device: "probe-1", time: 1, values: [])) }.storedTwice == 1)
    }

    @Test func whatTheBrokerLostInItsCrash() {
        var record = Scene.fair(.crashBroker, asksForReceipts: false)
        record.stored.remove(at: 8)
        record.brokerOutage = Scene.time(9)...Scene.time(11)
        let tally = Audit(record).tally
        #expect(tally.isClean && tally.lostWithoutReceipt == 1 && tally.handedOver == 9)
        // A reading in two messages, one of which the broker lost.
        var half = record
        half.stored.append(StoredSample(device: "probe-1", time: Scene.time(8), values: [180, 80, nil, nil]))
        #expect(Audit(half).tally.isClean && Audit(half).tally.lostWithoutReceipt == 1)
        half.stored[8].values[0] = 181
        #expect(Audit(half).tally.lost == 1)
        // Not excused: a device with receipts, a record without a crash, a loss long before the crash.
        var safe = Scene.fair(.crashBroker)
        safe.stored.remove(at: 8)
        safe.brokerOutage = Scene.time(9)...Scene.time(11)
        #expect(Audit(safe).tally.lost == 1)
        record.brokerOutage = nil
        #expect(Audit(record).tally.lost == 1)
        record.brokerOutage = Scene.time(8 + 60)...Scene.time(8 + 62)
        #expect(Audit(record).tally.lost == 1)
        // A loss after the broker is back is not excused either, however long the trouble lasts.
        record.brokerOutage = Scene.time(1)...Scene.time(3)
        #expect(Audit(record).tally.lost == 1)
    }

    @Test func theReadingsOfADeviceThatMisbehaves() {
        func odd(_ stored: [Int]) -> Tally {
            tally { record in
                record.mischief.device = "mischief-1"
                record.mischief.times = [Scene.time(1), Scene.time(2)]
                record.mischief.timedByReceipt = 1
                record.stored += stored.map { StoredSample(device: "mischief-1", time: $0, values: []) }
            }
        }
        #expect(odd([Scene.time(1), Scene.time(2), 7]).isClean)
        #expect(odd([Scene.time(1), 7]).lost == 1)
        #expect(odd([Scene.time(1), Scene.time(2)]).lost == 1)
        #expect(odd([Scene.time(1), Scene.time(2), 7, 8]).storedTwice == 1)
    }

    // MARK: Decisions

    @Test func aMissingEpisode() {
        #expect(tally { $0.episodes = [] }.episodesWrong == 1)
    }

    @Test func anEpisodeThatEndedAtTheWrongReading() {
        #expect(tally { $0.episodes[0].closedAt = Scene.time(8) }.episodesWrong == 2)
    }

    @Test func aMissedAlert() {
        let tally = tally { record in
            record.alerts.remove(at: 1)
            record.requests.removeAll { $0.alert == "2" }
        }
        #expect(tally.alertsMissed == 1 && tally.beyondThrottle == 0)
    }

    @Test func anAlertInsideTheThrottle() {
        let tally = tally { record in
            let extra = Scene.alert(4, "reminder", at: 3)
            record.alerts.insert(extra, at: 1)
            record.requests += [Scene.request(extra, at: .first), Scene.request(extra, at: .second)]
        }
        #expect(tally.beyondThrottle == 1 && tally.alertsMissed == 0)
    }

    @Test func anAlertOnItsWayMayTellOfANewerReading() {
        #expect(tally { $0.alerts[0] = Scene.alert(1, "alarm", at: 4) }.isClean)
        // Not a reading beyond the alert's interval.
        #expect(!tally { $0.alerts[0] = Scene.alert(1, "alarm", at: 6) }.isClean)
    }

    @Test func anIntervalRunsFromALateAcceptance() {
        func withoutReminder(acceptedAfter delay: Int) -> Tally {
            tally { record in
                record.alerts[0] = Scene.alert(1, "alarm", at: 1, acceptedAfter: delay)
                record.alerts.remove(at: 1)
                record.requests.removeAll { $0.alert == "2" }
            }
        }
        #expect(withoutReminder(acceptedAfter: 59_000_000).alertsMissed == 1)
        #expect(withoutReminder(acceptedAfter: 61_000_000).isClean)
        // The reminder may have been decided before the acceptance was recorded.
        #expect(tally { $0.alerts[0] = Scene.alert(1, "alarm", at: 1, acceptedAfter: 61_000_000) }.isClean)
    }

    @Test func allClears() {
        let untold = tally { record in
            record.alerts.removeLast()
            record.requests.removeAll { $0.alert == "9" }
        }
        #expect(untold.alertsMissed == 1)
        let twice = tally { record in
            let extra = Scene.alert(10, "recovery", at: 7)
            record.alerts.append(extra)
            record.requests += [Scene.request(extra, at: .first), Scene.request(extra, at: .second)]
        }
        #expect(twice.beyondThrottle == 1)
    }

    /// An alarm that nobody got before it was over gives its charge back, and so does an all-clear; each side has its
    /// own charge.
    @Test func chargesThatAreGivenBack() {
        /// The text of the alarm was replaced by the third reading's, instead of a reminder.
        func again(_ purpose: String, _ spoil: (inout RoundRecord) -> Void) -> Tally {
            tally { record in
                record.requests.removeAll { $0.alert == "2" }
                record.alerts[1] = Scene.alert(2, purpose, at: 3)
                record.requests += [RoundRecord.Endpoint.first, .second].map { Scene.request(record.alerts[1], at: $0) }
                spoil(&record)
            }
        }
        #expect(again("reminder") { _ in }.beyondThrottle == 1)
        let cancelled = again("reminder") { record in
            record.alerts[0].acceptedAt = nil
            record.alerts[0].cancelledAt = Scene.time(8)
        }
        #expect(cancelled.isClean, "\(cancelled.findings)")
        let cleared = again("reminder") { record in
            var allClear = Scene.alert(2, "recovery", at: 2)
            allClear.uid = "all-clear"
            record.alerts[1].id = 3
            record.alerts.insert(allClear, at: 1)
        }
        #expect(cleared.beyondThrottle == 0, "\(cleared.findings)")
        #expect(again("reminder") { $0.alerts[1].side = "low" }.beyondThrottle == 1)
    }

    // MARK: Truth

    @Test func whatIsOverIsNotTold() {
        func late(by delay: Int, _ alert: Int = 0) -> Tally {
            tally { record in
                record.requests.removeAll { $0.alert == record.alerts[alert].uid && $0.endpoint == .second }
                record.requests.append(Scene.request(record.alerts[alert], at: .second, after: delay))
            }
        }
        #expect(late(by: 4_000_000).isClean)
        #expect(late(by: 40_000_000).messagesWrong == 1)
        #expect(late(by: 40_000_000, 2).isClean, "an all-clear may be late")
    }

    @Test func noAllClearComesWhileANewerAlarmGoesOn() {
        func overtaken(closedAt: Int?, after delay: Int = 20_000_000) -> Tally {
            tally { record in
                // The water leaves its range again before the all-clear is sent.
                let episode = RoundRecord.EpisodeEnd(device: "probe-1", parameter: 0, openedAt: Scene.time(8))
                record.ends[episode] = closedAt.map(Scene.time)
                var alarm = Scene.alert(10, "alarm", at: 8)
                alarm.openedAt = Scene.time(8)
                record.alerts.append(alarm)
                record.requests.append(Scene.request(alarm, at: .first))
                record.requests.removeAll { $0.alert == "9" }
                record.requests.append(Scene.request(record.alerts[2], at: .first, after: delay))
            }
        }
        let findings = { (tally: Tally) in tally.findings.filter { $0.contains("says that all is well after") }.count }
        #expect(findings(overtaken(closedAt: nil)) == 1)
        #expect(findings(overtaken(closedAt: 60)) == 1)
        #expect(findings(overtaken(closedAt: 9)) == 0)
        #expect(findings(overtaken(closedAt: nil, after: 2_000_000)) == 0, "it was on its way by then")
    }

    @Test func whatGoesOnIsNotWithheldAsOver() {
        func cancelled(at reading: Int) -> Tally {
            tally { record in
                record.alerts[1].cancelledAt = Scene.time(reading)
                record.requests.removeAll { $0.alert == "2" && $0.endpoint == .second }
            }
        }
        #expect(cancelled(at: 8).isClean)
        #expect(cancelled(at: 6).isClean, "they overlapped")
        #expect(cancelled(at: 2).alertsMissed == 1)
    }

    // MARK: Deliveries

    @Test func anAlertThatDidNotArrive() {
        #expect(tally { $0.requests.removeFirst() }.alertsMissed == 1)
        #expect(tally { $0.requests[0].outcome = .unanswered }.alertsMissed == 1)
        #expect(
            tally { record in
                record.endpoints = [.second]
                record.requests.removeFirst()
            }.isClean)
    }

    @Test func aRefusedRequestIsRepeated() {
        let tally = tally { $0.requests.append(Scene.request($0.alerts[0], at: .first, after: 10_000, .refused)) }
        #expect(tally.isClean && tally.duplicates == 0)
    }

    @Test func aDuplicateNeedsAnExplanation() {
        /// The alarm came at this reading's time, and again a little later.
        func repeated(
            _ fault: Fault, _ reading: Int, _ outcome: WebhookRequest.Outcome = .accepted,
            at endpoint: RoundRecord.Endpoint = .first
        ) -> Tally {
            var record = Scene.fair(fault)
            let delay = Scene.time(reading) - record.alerts[0].decidedAt
            let alert = record.alerts[0].uid
            record.requests.removeAll { $0.alert == alert && $0.endpoint == endpoint }
            record.requests.append(Scene.request(record.alerts[0], at: endpoint, after: delay, outcome))
            record.requests.append(Scene.request(record.alerts[0], at: endpoint, after: delay + 900_000))
            return Audit(record).tally
        }
        let unexplained = repeated(.kill(.rules), 4)
        #expect(unexplained.duplicates == 1 && unexplained.unexplained == 1)
        let explained = repeated(.kill(.notifier), 4)
        #expect(explained.isClean && explained.duplicates == 1)
        #expect(repeated(.kill(.notifier), -5).unexplained == 1, "long before the fault")
        #expect(repeated(.kill(.notifier), 15).unexplained == 1, "when the fault was over and only its trouble lasted")
        #expect(repeated(.crashDatabase, 15).isClean, "nothing is recorded before the database is back")
        #expect(repeated(.connections(.notifierEndpoint, .cut), 4).isClean, "the answer was cut off")
        #expect(
            repeated(.connections(.notifierEndpoint, .cut), 4, at: .second).unexplained == 1,
            "not cut off from this one")
        #expect(repeated(.endpoint(.hang), 4).unexplained == 1, "it was answered 200, whatever hung besides")
        #expect(repeated(.endpoint(.hang), 4, .unanswered).isClean)
        let unanswered = repeated(.kill(.rules), 4, .unanswered)
        #expect(unanswered.isClean && unanswered.duplicates == 1)
    }

    @Test func aRepeatCarriesTheSameIdAndCollapseKey() {
        func repeated(_ change: (inout WebhookRequest) -> Void) -> Int {
            var record = Scene.fair(.kill(.notifier))
            record.alerts[0].decidedAt = Scene.time(4)
            record.requests[0] = Scene.request(record.alerts[0], at: .first)
            var again = Scene.request(record.alerts[0], at: .first, after: 900_000)
            change(&again)
            record.requests.append(again)
            return Audit(record).tally.unexplained
        }
        #expect(repeated { _ in } == 0)
        #expect(repeated { $0.id = "another" } == 1)
        #expect(repeated { $0.collapseKey = "another" } == 1)
        #expect(repeated { $0.alert = "99" } == 1, "nobody decided it")
    }
}
