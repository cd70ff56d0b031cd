import Instants
import MQTT
import Store
import Testing
import WaterQuality

@testable import Ingestor

/// The content of messages, before anything is stored.
@Suite struct IngestBatchTests {
    private func batch(
        at now: Timestamp = .noon, _ messages: [MQTTMessage], _ registry: inout DeviceRegistry
    ) -> IngestBatch {
        var batch = IngestBatch(receivedAt: now)
        for message in messages { batch.add(message, &registry) }
        batch.close()
        return batch
    }

    private func batch(at now: Timestamp = .noon, _ messages: [MQTTMessage]) throws -> IngestBatch {
        var registry = try DeviceRegistry(knowing: ["tank-1", "tank-2"])
        return batch(at: now, messages, &registry)
    }

    // MARK: With a time

    @Test func aTimeTellsARepetition() throws {
        var registry = try DeviceRegistry(knowing: ["tank-1", "tank-2"])
        let timed = #"{"time":"2026-05-01T11:59:00Z","ph":7.9}"#
        let first = batch([.of(timed), .of(timed), .of("tank-2", timed)], &registry)
        #expect(first.samples.map(\.eventTime) == [.noon - .seconds(60), .noon - .seconds(60)])
        #expect(first.samples.allSatisfy { $0.flags.isEmpty && $0.receivedAt == .noon })
        #expect(first.repetitions == 1)
        #expect(!first.mayRepeat)
        // In the next batch only the database knows.
        let second = batch(at: .noon + .seconds(1), [.of(timed)], &registry)
        #expect(second.samples.count == 1)
        #expect(second.mayRepeat)
    }

    @Test func probesThatReportOneByOneAreOneReadingOfTheirMoment() throws {
        func of(_ values: String) -> MQTTMessage { .of(#"{"time":"2026-05-01T11:59:00Z",\#(values)}"#) }
        let batch = try batch([of(#""temperature":24"#), of(#""ph":4.1"#), of(#""ph":9"#), of(#""salinity":5"#)])
        #expect(batch.samples.count == 1)
        #expect(batch.samples[0].readings == Readings([.temperature: 24, .ph: 4.1, .salinity: 5]))
        #expect(batch.repetitions == 1, "the second pH of the same moment")
    }

    /// A value that derives from several probes is computed once all parts of a moment are in.
    @Test func partsOfAMomentAreComputedWith() throws {
        func of(_ values: String) -> MQTTMessage { .of(#"{"time":"2026-05-01T11:59:00Z",\#(values)}"#) }
        let parts = [of(#""temperature":20"#), of(#""dissolved_oxygen":8"#), of(#""salinity":0"#)]
        let stored = try batch(parts).samples
        #expect(stored.count == 1)
        #expect(try abs(#require(stored[0].readings[.oxygenSaturation]) - 88) < 0.1)
        let measured = try batch(parts + [of(#""oxygen_saturation":85"#)]).samples
        #expect(measured[0].readings[.oxygenSaturation] == 85, "by the probe that came last")
        #expect(try batch(Array(parts.prefix(1))).samples[0].readings == Readings([.temperature: 20]))
    }

    // MARK: Broken probes

    private static let temperature = ParameterSet(.temperature)

    @Test func whatABrokenProbeSaysGoesWithTheOtherReadings() throws {
        let batch = try batch([.of(#"{"time":"2026-05-01T11:59:00Z","temperature":-127,"ph":7.9}"#)])
        #expect(batch.samples.map(\.brokenProbes) == [Self.temperature] && batch.samples[0].readings[.ph] == 7.9)
        #expect(batch.rejectCounts == [.probeFault: 1])
    }

    @Test func probesThatReportOneByOneAreBrokenOneByOne() throws {
        func of(_ values: String) -> MQTTMessage { .of(#"{"time":"2026-05-01T11:59:00Z",\#(values)}"#) }
        let together = try batch([of(#""ph":7.9"#), of(#""temperature":nan,"salinity":5"#)])
        #expect(together.samples.map(\.brokenProbes) == [Self.temperature] && together.repetitions == 0)
        let apart = try batch([of(#""temperature":nan"#), of(#""ph":7.9"#)])
        #expect(apart.samples.map(\.brokenProbes) == [Self.temperature, []])
        #expect(apart.samples.map(\.hasReadings) == [false, true] && !apart.mayRepeat)
        let both = try batch([of(#""temperature":nan,"ph":8"#), of(#""temperature":24"#)])
        #expect(both.samples.map(\.brokenProbes) == [[]], "a value is worth more")
    }

    /// A message that only reports a broken probe reaches the engines at its time, and its device is told that nothing
    /// is stored.
    @Test func aDeviceThatHasNothingButABrokenProbeIsHeard() throws {
        let batch = try batch([
            .of(#"{"time":"2026-05-01T11:59:00Z","temperature":-127}"#), .of(#"{"temperature":-127}"#),
            .of(#"{"time":1,"temperature":-127}"#),
        ])
        #expect(batch.samples.map(\.eventTime) == [.noon - .seconds(60), .noon, .noon])
        #expect(batch.samples.allSatisfy { $0.brokenProbes == Self.temperature && !$0.hasReadings })
        #expect(batch.rejectCounts == [.probeFault: 3] && batch.repetitions == 0 && !batch.mayRepeat)
    }

    /// The age of messages that the broker kept is unknown.
    @Test func whatTheBrokerKeptSaysNothingOfAProbe() throws {
        let kept = MQTTMessage.of(#"{"temperature":-127}"#, isRedelivery: true)
        #expect(try batch([kept]).samples.count == 0)
        let timed = MQTTMessage.of(#"{"time":"2026-05-01T11:59:00Z","temperature":-127}"#, isRedelivery: true)
        #expect(try batch([timed]).samples.count == 1)
    }

    @Test func whatIsNewerIsNoRepetitionAndWhatIsOlderMayBe() throws {
        var registry = try DeviceRegistry(knowing: ["tank-1"])
        func at(_ second: Int, isRedelivery: Bool = false) -> MQTTMessage {
            .of(#"{"time":\#(1_777_636_700 + second),"ph":7.9}"#, isRedelivery: isRedelivery)
        }
        #expect(!batch([at(10), at(20)], &registry).mayRepeat)
        #expect(!batch([at(30)], &registry).mayRepeat)
        #expect(batch([at(25)], &registry).mayRepeat)
        #expect(!batch([at(31)], &registry).mayRepeat)
        #expect(batch([at(32, isRedelivery: true)], &registry).mayRepeat)
    }

    @Test func aTimeThatCannotBeIsNotBelieved() throws {
        let messages = ["1970-01-01T00:00:03Z", "2026-04-24T11:59:59Z", "2026-05-01T12:05:01Z"].map {
            MQTTMessage.of(#"{"time":"\#($0)","ph":7.9}"#)
        }
        let batch = try batch(messages)
        #expect(batch.implausibleTimes == 3)
        #expect(batch.samples.allSatisfy { $0.flags == [.timedByReceipt, .implausibleTime] })
        #expect(batch.samples.map(\.eventTime) == [.noon, .noon + .microseconds(1), .noon + .microseconds(2)])
        #expect(batch.rejects.isEmpty)
    }

    @Test func whatIsOldIsHistoryAndWhatIsOlderIsRejected() throws {
        var registry = try DeviceRegistry(knowing: ["tank-1"])
        var batch = IngestBatch(receivedAt: .noon, history: .seconds(29 * 86_400))
        for time in [
            "2026-04-24T12:00:00Z", "2026-04-24T11:59:59Z", "2026-04-02T12:00:00Z", "2026-04-02T11:59:59Z",
            "2000-01-01T00:00:00Z",
        ] {
            batch.add(
                .of(#"{"time":"\#(time)","ph":7.9}"#, responseTopic: "aqua/v1/tank-1/ack", correlationData: [1]),
                &registry)
        }
        let flags: [Sample.Flags] = [[], .notEvaluated, .notEvaluated, [.timedByReceipt, .implausibleTime]]
        #expect(batch.samples.map(\.flags) == flags)
        let week = Timestamp.noon - .seconds(7 * 86_400)
        let times: [Timestamp] = [week, week - .seconds(1), Timestamp.noon - .seconds(29 * 86_400), Timestamp.noon]
        #expect(batch.samples.map(\.eventTime) == times)
        #expect(batch.mayRepeat, "nobody remembers what was stored then")
        #expect(batch.rejectCounts == [.tooOld: 1])
        #expect(batch.rejects.map(\.detail) == ["of 2026-04-02T11:59:59Z, longer ago than samples are kept"])
        let answer = batch.receipts[3].message(after: .init(newKeys: nil, stored: 4))
        #expect(String(decoding: answer.payload, as: UTF8.self) == #"{"status":"rejected","reason":"tooOld"}"#)
    }

    @Test func theRegistryCountsTheClocksInDoubt() throws {
        var registry = try DeviceRegistry(knowing: ["tank-1", "tank-2"])
        func say(_ device: String, _ time: String?) {
            var batch = IngestBatch(receivedAt: .noon, history: .seconds(29 * 86_400))
            let member = time.map { #""time":"\#($0)","# } ?? ""
            batch.add(.of(device, #"{\#(member)"ph":7.9}"#), &registry)
        }
        var counts: [Int] { ClockDoubt.allCases.map { registry.count($0) } }
        say("tank-1", "2026-05-01T13:00:00Z")
        say("tank-2", "2026-04-24T11:59:59Z")
        #expect(counts == [1, 1])
        say("tank-1", "2026-01-01T00:00:00Z")
        #expect(counts == [0, 2], "also what is too old to be stored")
        say("tank-1", "2026-05-01T11:59:59Z")
        say("tank-2", nil)
        #expect(counts == [0, 0])
    }

    @Test func aDeviceThatIsNotHeardAnyMoreIsNotInDoubt() throws {
        var registry = try DeviceRegistry(knowing: ["tank-1", "tank-2"])
        var count: Int { registry.count(.notBelieved) }
        for (device, time) in [("tank-1", Timestamp.noon), ("tank-2", .noon + .seconds(3_000))] {
            _ = batch(at: time, [.of(device, #"{"time":0,"ph":7.9}"#)], &registry)
        }
        registry.forgetDoubts(now: .noon + .seconds(3_600))
        #expect(count == 2)
        registry.forgetDoubts(now: .noon + .seconds(3_601))
        #expect(count == 2, "it looks once a minute")
        registry.forgetDoubts(now: .noon + .seconds(3_660))
        #expect(count == 1)
        _ = batch(at: .noon + .seconds(3_700), [.of("tank-1", #"{"time":0,"ph":7.9}"#)], &registry)
        #expect(count == 2, "it is heard again")
        registry.forgetDoubts(now: .noon + .seconds(600))
        #expect(count == 2, "our own clock was set back")
    }

    // MARK: Without a time

    @Test func anIdenticalMessageWithinTenSecondsIsARepetition() throws {
        var registry = try DeviceRegistry(knowing: ["tank-1", "tank-2"])
        let message = MQTTMessage.of(#"{"ph":7.9}"#)
        let first = batch([message, message, .of(#"{"ph":7.91}"#), .of("tank-2", #"{"ph":7.9}"#)], &registry)
        #expect(first.samples.count == 3)
        #expect(first.repetitions == 1)
        let soon = batch(at: .noon + .milliseconds(9_999), [.of(#"{"ph":7.91}"#)], &registry)
        #expect(soon.samples.isEmpty)
        #expect(soon.repetitions == 1)
        let later = batch(at: .noon + .seconds(10), [.of(#"{"ph":7.91}"#)], &registry)
        #expect(later.samples.count == 1)
    }

    @Test func aClockThatWasSetBackMakesNoRepetitions() throws {
        var registry = try DeviceRegistry(knowing: ["tank-1"])
        _ = batch([.of(#"{"ph":7.9}"#)], &registry)
        #expect(batch(at: .noon - .seconds(3_600), [.of(#"{"ph":7.9}"#)], &registry).samples.count == 1)
    }

    @Test func everyMicrosecondIsTheDevicesOwn() throws {
        var registry = try DeviceRegistry(knowing: ["tank-1", "tank-2"])
        let messages = (0..<500).map { MQTTMessage.of("tank-\($0 % 2 + 1)", #"{"nitrate":\#($0)}"#) }
        let first = batch(messages, &registry)
        #expect(Set(first.samples.map(\.key)).count == 500)
        // The next batch comes before the last one's microseconds have passed, even at the same instant.
        let second = batch((0..<10).map { .of(#"{"hardness":\#($0)}"#) }, &registry)
        #expect(Set((first.samples + second.samples).map(\.key)).count == 510)
        let times = second.samples.map(\.eventTime)
        #expect(times == times.sorted())
    }

    @Test func aReceiptTimeDoesNotFallOnADevicesOwnTime() throws {
        let batch = try batch([.of(#"{"time":"2026-05-01T12:00:00Z","ph":7.9}"#), .of(#"{"ph":8.0}"#)])
        #expect(batch.samples.map(\.eventTime) == [.noon, .noon + .microseconds(1)])
    }

    @Test func whatABrokerKeptIsStoredAndNotEvaluated() throws {
        let batch = try batch([
            .of(#"{"ph":7.9}"#, isRedelivery: true), .of(#"{"ph":8}"#, retain: true), .of(#"{"ph":8.1}"#),
            .of(#"{"time":"2026-05-01T11:59:00Z","ph":8.2}"#, isRedelivery: true),
        ])
        #expect(
            batch.samples.map(\.flags) == [
                [.timedByReceipt, .notEvaluated], [.timedByReceipt, .notEvaluated], .timedByReceipt, [],
            ])
        let evaluated = BatchTransaction.evaluationBatches(of: batch.samples)
        #expect(evaluated.map(\.messages.count) == [2])
    }

    /// Readings that wait in a broker's queue may well be equal for hours.
    @Test func whatABrokerKeptIsNoRepetition() throws {
        var registry = try DeviceRegistry(knowing: ["tank-1"])
        var kept = MQTTMessage.of(#"{"ph":7.9}"#)
        kept.wasKept = true
        let first = batch([kept, kept, kept], &registry)
        #expect(first.samples.map(\.flags) == Array(repeating: [.timedByReceipt, .notEvaluated], count: 3))
        #expect(first.repetitions == 0)
        // The first fresh reading is no repetition of them, either.
        let fresh = batch([.of(#"{"ph":7.9}"#)], &registry)
        #expect(fresh.samples.map(\.flags) == [.timedByReceipt])
    }

    // MARK: Status

    @Test func theLastWordCounts() throws {
        let batch = try batch([
            .of("online", subject: "status"), .of("tank-2", "online", subject: "status"),
            .of("offline", subject: "status"),
            .of("tank-2", "asleep", subject: "status"), .of("tank-2", "", subject: "status"),
        ])
        let words = Dictionary(uniqueKeysWithValues: batch.statuses.map { ($0.key.device.rawValue, $0.value.online) })
        #expect(words == [1: false, 2: true])
        #expect(batch.rejectCounts == [.status: 2])
    }

    // MARK: Limits and rejects

    @Test func badPartsAreToldAndTheRestIsKept() throws {
        let batch = try batch([
            .of(#"{"ph":7.9,"colour":1,"nitrate":"much"}"#), .of("{"), .of("ghost", #"{"ph":7}"#), .of("{}"),
            MQTTMessage(topic: "elsewhere", payload: []), .of(String(repeating: " ", count: 10_000)),
        ])
        #expect(batch.samples.map(\.readings) == [Readings([.ph: 7.9])])
        #expect(
            batch.rejectCounts == [
                .unknownParameter: 1, .wrongType: 1, .malformed: 2, .unknownDevice: 1, .topic: 1, .tooLarge: 1,
            ])
        #expect(
            batch.rejects.flatMap { repeatElement($0.reason, count: Int($0.messages)) }.sorted()
                == batch.rejectCounts.flatMap { repeatElement($0.rawValue, count: $1) }.sorted())
    }

    @Test func rejectsHaveALimitAndAreCountedAllTheSame() throws {
        let batch = try batch((0..<3_000).flatMap { [MQTTMessage.of("x"), MQTTMessage.of("ghost-\($0)", "x")] })
        #expect(batch.rejects.count { $0.device == nil } == RecordRejects.maximum)
        #expect(batch.rejects.filter { $0.device != nil }.map(\.messages) == [3_000])
        #expect(batch.rejectCounts == [.malformed: 3_000, .unknownDevice: 3_000])
    }

    /// Names that one device makes up take neither another device's place nor ever more of its own.
    @Test func nonsenseOfOneDeviceLeavesRoomForAnothers() throws {
        let made = (0..<3_000).map { MQTTMessage.of(#"{"made-up-\#($0)":1}"#) }
        let batch = try batch(made + [.of("tank-2", #"{"sr":1}"#)] + made)
        let rejects = Dictionary(grouping: batch.rejects, by: \.device)
        #expect(rejects.count == 2)
        #expect(rejects.values.map(\.count).sorted() == [1, RejectLog.mostSubjects + 1])
        #expect(rejects.values.map { $0.reduce(0) { $0 + $1.messages } }.sorted() == [1, 6_000])
        let other = try #require(rejects.values.first { $0.count == 1 }?.first)
        #expect(other.subject == "sr" && other.detail == "no parameter is called 'sr'")
    }

    /// A message counts once for each reason and subject, however many times they occur in it.
    @Test func aRejectCountsMessages() throws {
        let pack = #"[{"n":"sr","v":1},{"n":"sr","t":-5,"v":2},{"n":"kh","v":3}]"#
        let batch = try batch([.of(pack, subject: "senml"), .of(#"{"sr":4,"ph":true}"#)])
        #expect(
            batch.rejects.map { "\($0.messages) \($0.reason) \($0.subject)" }.sorted()
                == ["1 unknownParameter kh", "1 wrongType ph", "2 unknownParameter sr"])
        #expect(batch.rejectCounts == [.unknownParameter: 4, .wrongType: 1])
    }

    /// The payload may be from another owner's time.
    @Test func ofAMessageOfUnknownAgeNothingIsKept() throws {
        let batch = try batch([.of(#"{"sr":1}"#, isRedelivery: true), .of(#"{"kh":1}"#)])
        #expect(batch.rejects.map { "\($0.subject) \($0.payload.count)" } == ["sr 0", "kh 8"])
    }

    @Test func aNamelessNumberIsRejectedAndItsTopicCleared() throws {
        let batch = try batch([
            .of("24.5", subject: "sensor/water_level/state"), .of("1", subject: "reef-pi/ph_left"),
            .of("-61", subject: "sensor/wifi_signal/state"), .of("", subject: "sensor/water_level/state"),
            .of("ghost", "1", subject: "sensor/x/state"), .of("22", subject: "sensor/temperature/state"),
        ])
        #expect(
            batch.rejects.filter { $0.device != nil }.map { "\($0.messages) \($0.reason) \($0.subject)" }
                == ["1 unknownParameter water_level", "1 unknownParameter ph_left"])
        #expect(batch.rejectCounts == [.unknownParameter: 2, .unknownDevice: 1])
        #expect(
            batch.nameless.sorted() == [
                "aqua/v1/ghost/sensor/x/state", "aqua/v1/tank-1/reef-pi/ph_left",
                "aqua/v1/tank-1/sensor/water_level/state", "aqua/v1/tank-1/sensor/wifi_signal/state",
            ])
        #expect(batch.samples.count == 1)
    }

    /// A flooding device may not fill the broker, either.
    @Test func aFloodOfTopicsIsCleared() throws {
        let flood = (0..<30_000).map { MQTTMessage.of("1", subject: "sensor/x\($0)/state", retain: true) }
        let batch = try batch(flood)
        #expect(batch.nameless.count == 30_000)
        #expect(batch.rejectCounts[.flood] == 30_000 - Int(Bucket.capacity))
        #expect(batch.rejects.count == RejectLog.mostSubjects + 2)
    }

    @Test func aFloodIsShedAndNobodyElseNotices() throws {
        let backlog = (0..<30_000).map { MQTTMessage.of(#"{"time":\#(1_777_636_800 - 30_000 + $0),"ph":7.9}"#) }
        let asking = MQTTMessage.of(#"{"ph":7.9}"#, responseTopic: "aqua/v1/tank-1/ack", correlationData: [1])
        let batch = try batch(backlog + [asking, .of("tank-2", #"{"ph":7.9}"#)])
        #expect(batch.samples.count == Int(Bucket.capacity) + 1)
        #expect(batch.rejectCounts == [.flood: 30_001 - Int(Bucket.capacity)])
        #expect(batch.receipts.isEmpty, "who hears nothing sends it again")
    }

    // MARK: Receipts

    @Test func whoAsksIsAnswered() throws {
        func asking(_ payload: String, _ correlation: UInt8, device: String = "tank-1") -> MQTTMessage {
            .of(device, payload, responseTopic: "aqua/v1/\(device)/ack", correlationData: [correlation])
        }
        let timed = #"{"time":"2026-05-01T12:00:00Z","ph":7.9}"#
        let batch = try batch([
            asking(timed, 1), asking(#"{"ph":8}"#, 2), asking(#"{"ph":8}"#, 3), asking("{", 4), asking("{}", 5),
            asking(#"{"ph":8}"#, 6, device: "ghost"), .of(#"{"ph":9}"#), asking(#"{"colour":1}"#, 7),
        ])
        let key = try #require(batch.samples.first?.key)
        let untimed = batch.samples[1].key
        let stored = BatchTransaction.Outcome(newKeys: [untimed], stored: 1)
        let answers = batch.receipts.map { $0.message(after: stored) }
        #expect(answers.map(\.correlationData) == [[1], [2], [3], [4], [5], [6], [7]])
        #expect(
            answers.map { String(decoding: $0.payload, as: UTF8.self) } == [
                #"{"status":"repeated"}"#, #"{"status":"stored"}"#, #"{"status":"repeated"}"#,
                #"{"status":"rejected","reason":"malformed"}"#, #"{"status":"rejected","reason":"malformed"}"#,
                #"{"status":"rejected","reason":"unknownDevice"}"#,
                #"{"status":"rejected","reason":"unknownParameter"}"#,
            ])
        #expect(answers.allSatisfy { $0.qos == .atMostOnce && !$0.retain })
        #expect(
            answers.map(\.topic) == Array(repeating: "aqua/v1/tank-1/ack", count: 5) + [
                "aqua/v1/ghost/ack", "aqua/v1/tank-1/ack",
            ])
        let refused = batch.receipts[0].message(after: .init(newKeys: [], refused: [key], stored: 0))
        #expect(String(decoding: refused.payload, as: UTF8.self) == #"{"status":"rejected","reason":"refused"}"#)
    }

    @Test func anAnswerElsewhereIsNotSent() throws {
        let batch = try batch([
            .of(#"{"ph":7.9}"#, responseTopic: "aqua/v1/tank-2/ack"), .of(#"{"ph":8}"#, responseTopic: "$CONTROL/x"),
        ])
        #expect(batch.receipts.isEmpty)
        #expect(batch.ignoredResponseTopics == 2)
        #expect(batch.samples.count == 2)
    }
}
