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
            #expect(water[0].out != nil && water[0].out == water[1].out)
            #expect(water[2].out == nil && water[3].out == nil)
            #expect(water.map(\.isConfirmed) == [false, true, false, true])
            // No message is that before, which would be taken for a repetition.
            for (one, next) in zip(water, water.dropFirst()) {
                #expect(one.values.map(\.value) != next.values.map(\.value))
            }
        }
    }

    /// The standard throttle lets one alarm of a side through in 30 minutes, were no all-clear to come between.
    @Test(arguments: intervals) func `no throttle meets the same side of a parameter again`(_ every: Duration) {
        var last: [CanarySchedule.Excursion: Timestamp] = [:]
        for told in Self.told(CanarySchedule(every: every, start: Self.start), for: every * 40)
        where !told.water.isConfirmed {
            guard let out = told.water.out else { continue }
            if let before = last[out] {
                #expect(told.time - before >= AlertPolicy().throttle * 2)
                #expect(told.time - before >= every * 8 - .milliseconds(40))
            }
            last[out] = told.time
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
                switch told.water.out {
                case .some(let out) where out.parameter == parameter:
                    #expect(out.side == .low ? value < least : value > most)
                default: #expect(least < value && value < most)
                }
            }
        }
    }

    @Test func `a publisher that is started again begins a turn`() {
        for second in stride(from: 0, to: 1_800, by: 7) {
            let again = CanarySchedule(every: .seconds(900), start: Self.start + .seconds(second))
            #expect(again.water(at: again.start).out != nil && !again.water(at: again.start).isConfirmed)
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
        let out = CanarySchedule.Excursion(parameter: .ph, side: .high)
        let message = CanaryPublisher.message(CanarySchedule.Water(out: out, isConfirmed: false), of: device)
        #expect(message.topic == "aqua/v1/canary-1/readings")
        let payload = String(decoding: message.payload, as: UTF8.self)
        #expect(payload == #"{"temperature":18.0,"ph":9.0,"salinity":5.0,"hardness":365.0}"#)
    }
}
