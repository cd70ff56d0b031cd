import Chaos
import Testing

/// The checker's findings about messages (their content, time and recipient) and about roll-ups.
@Suite struct MessageAuditTests {
    private func tally(_ spoil: (inout RoundRecord) -> Void) -> Tally {
        var record = Scene.fair()
        spoil(&record)
        return Audit(record).tally
    }

    @Test func whatIsToldIsWhatWasMeasured() {
        let changes: [(String, (inout ToldMessage) -> Void)] = [
            ("purpose", { $0.purpose = "reminder" }), ("parameter", { $0.parameter = "ph" }),
            ("side", { $0.side = "low" }), ("value", { $0.value += 1 }), ("limit", { $0.limit -= 1 }),
            ("unit", { $0.unit = "F" }), ("language", { $0.title = "Tank 1: La temperatura está alta" }),
            ("time", { $0.eventTime += 1 }), ("device", { $0.device = "probe-2" }),
        ]
        for (what, change) in changes {
            #expect(tally { change(&$0.requests[0].message) }.messagesWrong > 0, "\(what)")
        }
    }

    @Test func aSignatureThatNobodyBelieves() {
        #expect(tally { $0.requests[0].isGenuine = false }.messagesWrong == 1)
    }

    @Test func nobodyHearsOfAForeignDevice() {
        // Every message is correct, but goes to the other person.
        #expect(tally { $0.owners["probe-1"] = .lee }.messagesWrong > 0)
        let leaked = tally { record in
            var request = record.requests[0]
            request.endpoint = .other
            record.requests.append(request)
        }
        #expect(leaked.messagesWrong > 0 && leaked.alertsMissed == 0)
    }

    @Test func anotherPersonIsToldInAnotherUnitAndLanguage() {
        let message = Scene.message("reminder", of: "probe-2", at: 2, to: .lee)
        #expect(message.value == 779 && message.limit == 752 && message.unit == "F")
        #expect(message.title == "Tank 2: La temperatura sigue alta")
    }

    @Test func theFirstWordIsAnAlarmAndTheNextAReminder() {
        func purposes(_ first: String, _ second: String, cancelledAt: Int? = nil) -> Int {
            tally { record in
                if let cancelledAt { (record.alerts[0].acceptedAt, record.alerts[0].cancelledAt) = (nil, cancelledAt) }
                for (index, purpose) in [first, second].enumerated() {
                    record.alerts[index].purpose = purpose
                    let alert = record.alerts[index]
                    for place in record.requests.indices where record.requests[place].alert == alert.uid {
                        record.requests[place].message = Scene.message(purpose, at: index == 0 ? 1 : 5)
                    }
                }
            }.unexplained
        }
        #expect(purposes("alarm", "reminder") == 0)
        #expect(purposes("alarm", "alarm") == 1)
        #expect(purposes("reminder", "reminder") == 1)
        #expect(purposes("alarm", "alarm", cancelledAt: Scene.time(0)) == 0, "nobody had heard of it")
        #expect(purposes("alarm", "reminder", cancelledAt: Scene.time(0)) == 1)
        #expect(purposes("alarm", "reminder", cancelledAt: Scene.time(10)) == 0, "it was on its way still")
        #expect(purposes("alarm", "alarm", cancelledAt: Scene.time(10)) == 1)
        for cancelledAt in [4, 6] {
            for purpose in ["alarm", "reminder"] {
                #expect(purposes("alarm", purpose, cancelledAt: Scene.time(cancelledAt)) == 0, "they overlapped")
            }
        }
    }

    @Test func anAllClearIsOfTheSideThatWasTold() {
        /// Afterwards the water was too cold for a moment, and then the all-clear came.
        func wrong(_ side: String, acceptedAfter delay: Int? = nil, notedAfter: Int = 10_000) -> Int {
            tally { record in
                if let delay {
                    var alarm = Scene.alert(3, "alarm", at: 2, acceptedAfter: delay, notedAfter: notedAfter)
                    alarm.side = "low"
                    record.alerts.append(alarm)
                }
                record.episodes.append(
                    StoredEpisode(
                        device: "probe-1", parameter: 0, side: "low", openedAt: Scene.time(8), closedAt: Scene.time(9),
                        worst: 180))
                record.alerts[2].openedAt = Scene.time(8)
                for place in record.requests.indices where record.requests[place].alert == record.alerts[2].uid {
                    record.requests[place].message.side = side
                }
            }.findings.filter { $0.hasPrefix("the wrong side") }.count
        }
        #expect(wrong("high") == 0)
        #expect(wrong("low") == 2)
        for side in ["high", "low"] { #expect(wrong(side, acceptedAfter: 2_500_000) == 0, "it came in that moment") }
        #expect(wrong("high", acceptedAfter: 100_000) == 2)
        #expect(wrong("high", acceptedAfter: 100_000, notedAfter: 2_500_000) == 0, "nobody could note that it came")
    }

    @Test func aReminderThatWasSentBeforeItBecameAnAlarm() {
        func wrong(openedAgainAt reading: Int) -> Int {
            tally { record in
                record.alerts[1].purpose = "alarm"
                record.alerts[1].openedAt = Scene.time(reading)
            }.findings.filter { $0.contains(" should be ToldMessage") || $0.contains("should be Chaos.ToldMessage") }
                .count
        }
        #expect(wrong(openedAgainAt: 6) == 0)
        #expect(wrong(openedAgainAt: 5) == 2)
    }

    @Test func anAlertThatComesLate() {
        // The fault was over at the sixth reading.
        let end = Scene.time(6)
        #expect(tally { $0.alerts[1].decidedAt = end + 59_000_000 }.alertsLate == 0)
        #expect(tally { $0.alerts[1].decidedAt = end + 61_000_000 }.alertsLate == 1)
        #expect(tally { $0.alerts[1].acceptedAt = end + 61_000_000 }.alertsLate == 1)
        func late(_ seconds: Int, where fault: Fault) -> Int {
            tally { record in
                record.fault = fault
                record.alerts[1].acceptedAt = end + seconds * 1_000_000
            }.alertsLate
        }
        #expect(late(119, where: .stall(.notifier)) == 0, "leased by one that is frozen")
        #expect(late(121, where: .stall(.notifier)) == 1)
        #expect(late(61, where: .freeze(.notifier)) == 1, "nobody else leases from it")
        func early(_ time: Int, where fault: Fault) -> Int {
            tally { record in
                record.fault = fault
                record.alerts[1].decidedAt = Scene.time(5) - time
            }.unexplained
        }
        #expect(early(2_000_001, where: .kill(.rules)) == 1, "before it was measured")
        let frozen = Scene.time(6) - Scene.time(3)
        #expect(early(2_000_000 + frozen, where: .freeze(.rules)) == 0, "by an engine that froze in its transaction")
        #expect(early(2_000_001 + frozen, where: .freeze(.rules)) == 1)
    }

    @Test func anHourThatWasNotRolledUpLikeItsSamples() {
        func hour(_ rolledUp: String) -> Int {
            tally {
                $0.hours = [StoredHour(device: "probe-1", start: 0, rolledUp: [rolledUp], samples: ["2 50.5 25 25.5"])]
            }.hoursWrong
        }
        #expect(hour("2 50.5 25 25.5") == 0)
        #expect(hour("3 76 25 25.5") == 1)
        #expect(hour("0") == 1, "not at all")
    }
}
