import Instants
import MQTT
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// The treatment of the times that messages state, whatever they are.
@Suite struct StatedTimesTests {
    private static let kept = Duration.seconds(89 * 86_400)

    private func batch(
        at now: Timestamp = .noon, history: Duration? = Self.kept, _ payloads: [String], subject: String = "readings"
    ) throws -> IngestBatch {
        var registry = try DeviceRegistry(knowing: ["tank-1"])
        var batch = IngestBatch(receivedAt: now, history: history)
        for payload in payloads {
            batch.add(
                .of(payload, subject: subject, responseTopic: "aqua/v1/tank-1/ack", correlationData: [1]), &registry)
        }
        batch.close()
        return batch
    }

    private func answers(_ batch: IngestBatch) -> [String] {
        batch.receipts.map {
            String(decoding: $0.message(after: .init(newKeys: nil, stored: 9)).payload, as: UTF8.self)
        }
    }

    /// A sample from before the time was known, sent as its time less the present one: decades old.
    @Test(arguments: [nil, .seconds(89 * 86_400)] as [Duration?])
    func anAgeFromBeforeAnyClockWasSetIsOfNow(_ history: Duration?) throws {
        for age in ["-230000000", "-268435456", "-1777636000", "-1e300"] {
            let batch = try batch(
                history: history, [#"[{"n":"temperature","u":"Cel","v":20.4,"t":\#(age)},{"n":"ph","v":7.5}]"#],
                subject: "senml")
            #expect(batch.samples.map(\.eventTime) == [.noon, .noon + .microseconds(1)], "\(age)")
            #expect(batch.samples.map(\.flags) == [[.timedByReceipt, .implausibleTime], .timedByReceipt])
            #expect(batch.samples.map(\.readings) == [Readings([.temperature: 20.4]), Readings([.ph: 7.5])])
            #expect(answers(batch) == [#"{"status":"stored","time":"implausible"}"#])
        }
    }

    /// While our own clock is in doubt nothing counts as old on its word: the partition of such a time may not exist.
    @Test func anAgeBeyondAWeekIsOfNowWhileOurClockIsInDoubt() throws {
        let pack = #"[{"n":"ph","t":-8640000,"v":7.5}]"#
        #expect(try batch(history: nil, [pack], subject: "senml").samples.map(\.eventTime) == [.noon])
        #expect(try batch([pack], subject: "senml").rejectCounts == [.tooOld: 1])
    }

    @Test(arguments: [1_000, 1_000_000, 1_000_000_000] as [Int64])
    func aPackInAnotherScaleKeepsItsMoments(_ scale: Int64) throws {
        let batch = try batch(
            [
                #"""
                [{"bn":"x:","bt":\#(1_777_636_800 * scale),"n":"temperature","u":"Cel","v":20.1},
                 {"n":"temperature","t":\#(-30 * scale),"v":20.0},{"n":"temperature","t":\#(-60 * scale),"v":19.0}]
                """#
            ], subject: "senml")
        #expect(batch.samples.map(\.eventTime) == [.noon, .noon - .seconds(30), .noon - .seconds(60)])
        #expect(batch.samples.map { $0.readings[.temperature] } == [20.1, 20.0, 19.0])
        #expect(batch.samples.allSatisfy { $0.flags.isEmpty } && batch.rejectCounts.isEmpty)
        #expect(answers(batch) == [#"{"status":"stored"}"#])
    }

    /// The times of these are unknown, but they differ.
    @Test func momentsWithoutAReadableTimeAreNeverMerged() throws {
        for times in [["1e300", "2e300"], ["1e999", "2e999"], ["1e20", "-1e30"]] {
            let records = times.map { #"{"n":"temperature","u":"Cel","t":\#($0),"v":20}"# }
            let batch = try batch(
                ["[\(records.joined(separator: ",")),{\"n\":\"temperature\",\"v\":21}]"], subject: "senml")
            #expect(batch.samples.count == 3, "\(times)")
            #expect(Set(batch.samples.map(\.eventTime)).count == 3)
            #expect(answers(batch) == [#"{"status":"stored","time":"implausible"}"#])
        }
        let one = try batch(
            [#"[{"n":"temperature","u":"Cel","t":1e300,"v":20},{"n":"ph","t":1e300,"v":7}]"#], subject: "senml")
        #expect(one.samples.map(\.readings) == [Readings([.temperature: 20, .ph: 7])], "one moment, whenever it was")
        #expect(one.rejectCounts == [.badTime: 1])
    }

    @Test func aBacklogInMillisecondsKeepsItsTimes() throws {
        let batch = try batch(
            (0..<3).map { #"{"time":\#(1_777_629_600_000 + $0 * 3_600_000),"temperature":\#(35 - $0)}"# })
        #expect(batch.samples.map(\.eventTime) == (0..<3).map { Timestamp.noon - .seconds(7_200 - $0 * 3_600) })
        #expect(batch.samples.allSatisfy { $0.flags.isEmpty } && batch.implausibleTimes == 0)
        #expect(answers(batch) == Array(repeating: #"{"status":"stored"}"#, count: 3))
    }

    @Test(arguments: [#""yesterday""#, "true", "{}", "1e300", "-1", "5", "nan", "99999999999999999999999", #""2026""#])
    func aTimeThatCannotBeIsToldToTheDevice(_ time: String) throws {
        let batch = try batch([#"{"time":\#(time),"ph":7.9}"#])
        #expect(batch.samples.map(\.eventTime) == [.noon])
        #expect(batch.samples.map(\.flags) == [[.timedByReceipt, .implausibleTime]])
        #expect(batch.implausibleTimes == 1)
        #expect(answers(batch) == [#"{"status":"stored","time":"implausible"}"#])
    }

    @Test func aMessageOfSeveralMomentsHasOneAnswer() throws {
        let parts = [#"{"n":"ph","t":-60,"v":7.1}"#, #"{"n":"ph","v":7.2}"#, #"{"n":"ph","t":-9e6,"v":7.0}"#]
        let batch = try batch(["[\(parts.joined(separator: ","))]"], subject: "senml")
        let keys = batch.samples.map(\.key)
        func answer(_ outcome: BatchTransaction.Outcome) -> String {
            String(decoding: batch.receipts[0].message(after: outcome).payload, as: UTF8.self)
        }
        #expect(answer(.init(newKeys: nil, stored: 2)) == #"{"status":"stored"}"#)
        #expect(answer(.init(newKeys: [keys[0]], stored: 1)) == #"{"status":"stored"}"#)
        #expect(answer(.init(newKeys: [], stored: 0)) == #"{"status":"repeated"}"#)
        #expect(
            answer(.init(newKeys: [keys[0]], refused: [keys[1]], stored: 1))
                == #"{"status":"rejected","reason":"refused"}"#)
        let old = try self.batch(["[\(parts[2])]"], subject: "senml")
        #expect(answers(old) == [#"{"status":"rejected","reason":"tooOld"}"#])
    }

    /// All accepted times lie between the receipt less the retention and five minutes after the receipt, whatever
    /// messages and clocks say.
    @Test func everyAcceptedTimeLiesWithinWhatIsKept() throws {
        var generator = SeededGenerator(seed: 1)
        func number() -> String {
            let scales = [1, 1e3, 1e6, 1e9]
            let scale = scales[Int.random(in: scales.indices, using: &generator)]
            switch Int.random(in: 0..<7, using: &generator) {
            case 0: return "\(Double(bitPattern: generator.next()))"
            case 1: return "-\(Int64.random(in: 0...400_000_000, using: &generator))"
            case 2: return "\(Int64.random(in: .min ... .max, using: &generator))"
            case 3: return "1e\(Int.random(in: -5...400, using: &generator))"
            case 4: return "-1e\(Int.random(in: 0...400, using: &generator))"
            case 5: return "0"
            default: return "\((1_777_636_800 + Double.random(in: -1e7...1e3, using: &generator)) * scale)"
            }
        }
        var registry = try DeviceRegistry(knowing: ["tank-1"])
        var accepted = 0
        for round in 0..<4_000 {
            // Our own clock jumps at will.
            let now = Timestamp.noon + .seconds(Int64.random(in: -40_000_000...40_000_000, using: &generator))
            let history = Bool.random(using: &generator) ? Self.kept : nil
            var batch = IngestBatch(receivedAt: now, history: history)
            for _ in 0..<4 {
                let records = (0..<3).map { _ in #"{"n":"ph","t":\#(number()),"v":7.\#(round % 10)}"# }
                let messages: [MQTTMessage] = [
                    .of(#"{"time":\#(number()),"ph":7.9}"#), .of(#"{"time":"\#(number())","ph":7.9}"#),
                    .of("[{\"bt\":\(number())},\(records.joined(separator: ","))]", subject: "senml"),
                    .of(#"{"Epoch":\#(number()),"ANALOG":{"pH":7.4}}"#, subject: "tele/SENSOR"),
                    .of(#"{"last_seen":\#(number()),"ph":nan,"temperature":24}"#, subject: "zigbee2mqtt"),
                    .of(
                        #"{"params":{"ts":\#(number()),"temperature:100":{"tC":24.\#(round % 10)}}}"#,
                        subject: "shelly/events/rpc"),
                    .of(#"{"time":\#(number()),"ph":nan}"#), .of(#"{"ph":8}"#),
                ]
                for message in messages { batch.add(message, &registry) }
            }
            let earliest = now - max(history ?? .zero, EventTime.furthestBack)
            for sample in batch.samples {
                #expect(sample.eventTime >= earliest && sample.eventTime <= now + EventTime.furthestAhead)
            }
            accepted += batch.samples.count
        }
        #expect(accepted > 20_000)
    }
}
