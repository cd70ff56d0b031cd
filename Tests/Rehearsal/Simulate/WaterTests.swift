import Instants
import MQTT
import Testing
import WaterQuality

@testable import Rehearsal

@Suite("Simulated water")
struct WaterTests {
    private static func run(
        seed: UInt64 = 7, index: Int = 0, breach: Breach? = nil, step: Duration = .seconds(30), ticks: Int
    ) -> [[Parameter: Steps]] {
        var water = SimulatedWater(seed: seed, index: index, breach: breach)
        return (0..<ticks).map { _ in
            defer { water.advance(by: step) }
            return Dictionary(uniqueKeysWithValues: water.measure().map { ($0.parameter, $0.value) })
        }
    }

    private static func isUsual(_ value: Steps, _ parameter: Parameter) -> Bool {
        (parameter.defaults.minimum.map { value >= $0 } ?? (value.count >= 0))
            && (parameter.defaults.maximum.map { value <= $0 } ?? true)
    }

    @Test("stays in the default ranges for a week, and moves", arguments: 0..<20)
    func usual(_ index: Int) {
        let week = Self.run(index: index, step: .seconds(300), ticks: 2016)
        for parameter in Parameter.ofManual {
            let values = week.compactMap { $0[parameter] }
            #expect(values.count == 2016)
            #expect(values.allSatisfy { Self.isUsual($0, parameter) }, "\(parameter)")
            #expect(Set(values).count > 3, "\(parameter)")
        }
    }

    @Test("is equal for the same seed and device, and differs otherwise")
    func seeded() {
        #expect(Self.run(ticks: 50) == Self.run(ticks: 50))
        #expect(Self.run(ticks: 50) != Self.run(seed: 8, ticks: 50))
        #expect(Self.run(ticks: 50) != Self.run(index: 1, ticks: 50))
    }

    @Test("A breach is out of range within a minute, alone, and comes back", arguments: Parameter.ofManual)
    func breach(_ parameter: Parameter) throws {
        for index in 0..<10 {
            let hour = Self.run(index: index, breach: .everywhere(parameter), step: .seconds(30), ticks: 120)
            #expect(Self.isUsual(try #require(hour[0][parameter]), parameter))
            for tick in 2...20 {
                #expect(!Self.isUsual(try #require(hour[tick][parameter]), parameter), "tick \(tick)")
            }
            for tick in 22..<40 {
                #expect(Self.isUsual(try #require(hour[tick][parameter]), parameter), "tick \(tick)")
            }
            #expect(!Self.isUsual(try #require(hour[42][parameter]), parameter))
            for other in Parameter.ofManual where other != parameter {
                #expect(hour.compactMap { $0[other] }.allSatisfy { Self.isUsual($0, other) })
            }
        }
    }

    @Test("A share of the devices breaches")
    func share() {
        let out = (0..<1000).count { index in
            let minute = Self.run(index: index, breach: .share(percent: 10), ticks: 3)[2]
            return !minute.allSatisfy { Self.isUsual($0.value, $0.key) }
        }
        #expect((60...140).contains(out))
    }

    @Test(
        "--breach takes a percentage or a parameter",
        arguments: [
            ("10", Breach.share(percent: 10)), ("0.5", .share(percent: 0.5)),
            ("temperature", .everywhere(.temperature)),
            ("pH", .everywhere(.ph)), ("101", nil), ("-1", nil), ("warmth", nil),
        ] as [(String, Breach?)])
    func argument(_ text: String, _ expected: Breach?) { #expect(Breach(argument: text) == expected) }

    @Test("Values are written with the precision of their sensor")
    func message() throws {
        let device = try #require(Device.HardwareID("sim-0001"))
        let message = SimulatedMessage.readings(
            [(.temperature, Steps(-5)), (.ammonia, Steps(7)), (.hardness, Steps(312)), (.salinity, Steps(50))],
            at: Timestamp(unixSeconds: Int64(1_777_636_800)), device: device)
        #expect(message.topic == "aqua/v1/sim-0001/readings")
        #expect(
            String(decoding: message.payload, as: UTF8.self)
                == #"{"time":"2026-05-01T12:00:00Z","readings":{"temperature":-0.5,"ammonia":0.07,"hardness":312,"salinity":5.0}}"#
        )
    }

    @Test("Devices have the names under which the operator added them")
    func ids() {
        #expect(Simulate.standardIDs(2).map(\.text) == ["sim-0001", "sim-0002"])
        #expect(Simulate.standardIDs(12_345).last?.text == "sim-12345")
    }
}
