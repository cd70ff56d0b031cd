import Instants
import MQTT
import Testing
import WaterQuality

@testable import Operator

@Suite struct CanaryScheduleTests {
    private static let start = Timestamp(unixSeconds: 1_780_000_123 as Int64)
    private static let intervals: [Duration] = [.seconds(600), .seconds(900), .seconds(1_000), .seconds(3_600)]

    private struct Told: Hashable {
        var time: Timestamp
        var water: CanarySchedule.Water
    }

    /// What a publisher tells that is started at a time and wakes late by some milliseconds.
    private static func told(_ schedule: CanarySchedule, for length: Duration) -> [Told] {
        var (told, time): ([Told], Timestamp) = ([], schedule.start)
        while time < schedule.start + length {
            told.append(Told(time: time, water: schedule.water(at: time)))
            time = time + schedule.wait(after: time) + .milliseconds(told.count % 40)
        }
        return told
    }

    @Test(arguments: intervals) func `a turn leaves the range at once and is back after a third`(_ every: Duration) {
        let schedule = CanarySchedule(every: every, start: Self.start)
        let told = Self.told(schedule, for: every * 16)
        #expect(told.count == 64)
        for turn in 0..<16 {
            let times = told[turn * 4..<turn * 4 + 4].map { $0.time - (Self.start + every * turn) }
            for (time, due) in zip(times, [.zero, .seconds(5), every / 3, every / 3 + .seconds(5)]) {
                #expect((due...due + .milliseconds(40)).contains(time))
            }
            let water = told[turn * 4..<turn * 4 + 4].map(\.water)
            #expect(water[0] == water[1] && water[0] != .well && water[2...] == [.well, .well])
        }
    }

    /// The standard throttle lets one alarm of a side through in 30 minutes, were no all-clear to come between.
    @Test(arguments: intervals) func `no throttle meets the same side of a parameter again`(_ every: Duration) {
        var last: [CanarySchedule.Water: Timestamp] = [:]
        for told in Self.told(CanarySchedule(every: every, start: Self.start), for: every * 40)
        where told.water != .well {
            if let before = last[told.water], told.time - before > .seconds(60) {
                #expect(told.time - before >= AlertPolicy().throttle * 2)
                #expect(told.time - before >= every * 7)
            }
            last[told.water] = told.time
        }
        #expect(last.count == 8)
    }

    @Test(arguments: intervals) func `values lie well within the limits of a new device, or well beyond one`(
        _ every: Duration
    ) {
        for told in Self.told(CanarySchedule(every: every, start: Self.start), for: every * 8) {
            for (parameter, value) in told.water.values {
                let (least, most) = (parameter.defaults.minimum ?? value, parameter.defaults.maximum ?? value)
                #expect(parameter.absoluteRange.contains(value))
                switch told.water {
                case .out(parameter, .low): #expect(value < least)
                case .out(parameter, .high): #expect(value > most)
                default: #expect(least < value && value < most)
                }
            }
        }
    }

    @Test func `a publisher that is started again begins a turn`() {
        for second in stride(from: 0, to: 1_800, by: 7) {
            let again = CanarySchedule(every: .seconds(900), start: Self.start + .seconds(second))
            #expect(again.water(at: again.start) != .well)
            #expect(again.wait(after: again.start) == .seconds(5))
        }
    }

    @Test(arguments: [-2_000_000_000, -86_400, -1, 86_400 * 365] as [Int64])
    func `a clock that leaps is in a turn as any other is`(_ seconds: Int64) {
        let schedule = CanarySchedule(every: .seconds(900), start: Self.start)
        let time = Self.start + .seconds(seconds)
        #expect((.microseconds(1)...(.seconds(900))).contains(schedule.wait(after: time)))
        #expect(schedule.water(at: time + schedule.wait(after: time)).values.count == 4)
    }

    /// Nothing that is computed from the canary's parameters leaves a range as well.
    @Test func `nothing is derived of its parameters`() {
        let derived: [Set<Parameter>] = [
            [.temperature, .dissolvedOxygen], [.temperature, .ph, .ammonia], [.ph, .alkalinity],
        ]
        for inputs in derived { #expect(!inputs.isSubset(of: CanarySchedule.parameters)) }
    }

    @Test func `a message is that of a device without a clock`() throws {
        let device = try Device.HardwareID(argument: "canary-1")
        let message = CanaryPublisher.message(.out(.ph, .high), of: device)
        #expect(message.topic == "aqua/v1/canary-1/readings")
        let payload = String(decoding: message.payload, as: UTF8.self)
        #expect(payload == #"{"temperature":18.0,"ph":9.0,"salinity":5.0,"hardness":365.0}"#)
    }
}
