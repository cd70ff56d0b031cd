import Foundation
import Instants
import Operator
import Testing
import WaterQuality

@testable import Rehearsal

/// The recorded water of the demonstration, as it ships.
@Suite struct RecordedWaterTests {
    private static let now = Timestamp(unixSeconds: Int64(1_777_636_800))

    private static func measured() throws -> [RecordedWater.Measured] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../deploy/demo/mendon-july-2019.csv").standardized.path(percentEncoded: false)
        return try RecordedWater(path: file, until: now).measured()
    }

    @Test func itCoversThreeDaysUpToItsEnd() throws {
        let measured = try Self.measured()
        #expect(measured.count == 289)
        #expect(measured.first?.time == Self.now - .seconds(72 * 3_600))
        #expect(measured.last?.time == Self.now)
        #expect(zip(measured, measured.dropFirst()).allSatisfy { $1.time - $0.time == .seconds(900) })
        // The home screen shows every parameter.
        #expect(measured.allSatisfy { $0.values.count == Parameter.ofManual.count })
    }

    /// A person has something to see and gets few alerts: pH and oxygen are out of range at the end.
    @Test func itLeavesTheManualsLimitsNowAndThen() throws {
        let measured = try Self.measured()
        for parameter in Parameter.ofManual {
            let range = try SafeRange(
                parameter, minimum: parameter.defaults.minimum, maximum: parameter.defaults.maximum)
            let sides = try measured.map { message in
                range.side(of: try #require(message.values[parameter]))
            }
            let spells = zip([nil] + sides, sides).count { $0 != $1 && $1 != nil }
            switch parameter {
            case .ph, .dissolvedOxygen:
                #expect((1...6).contains(spells), "\(parameter): \(spells)")
                #expect(sides.count { $0 != nil } < sides.count / 3, "\(parameter)")
                #expect(sides.last == .high, "\(parameter)")
            default: #expect(spells == 0, "\(parameter)")
            }
        }
    }

    /// Two runs publish the same.
    @Test func itIsTheSameEveryTime() throws { #expect(try Self.measured() == Self.measured()) }

    @Test func anotherFileIsRefused() async throws {
        try await temporaryFile("datetime,temp,ph,do\n2019-07-11 15:00,warm,8.1,8.0\n") { path in
            #expect(throws: OperatorError.self) { try RecordedWater(path: path, until: Self.now).measured() }
        }
    }

    /// The simulated water begins where the recorded one ended, and soon follows its own course.
    @Test func theSimulationGoesOnFromIt() throws {
        let last = try #require(try Self.measured().last)
        var water = SimulatedWater(seed: 1, index: 0)
        water.follow(last.values, after: .zero)
        let first = Dictionary(uniqueKeysWithValues: water.measure().map { ($0.parameter, $0.value.count) })
        for (parameter, value) in last.values {
            #expect(abs(try #require(first[parameter]) - value.count) <= 2, "\(parameter)")
        }
        // When the demonstration begins the water is back in range, and its alerts are over.
        water = SimulatedWater(seed: 1, index: 0)
        water.follow(last.values, after: RecordedWater.lead)
        for _ in 0..<600 {
            let values = Dictionary(uniqueKeysWithValues: water.measure().map { ($0.parameter, $0.value) })
            for parameter in [Parameter.ph, .dissolvedOxygen] {
                let range = try SafeRange(
                    parameter, minimum: parameter.defaults.minimum, maximum: parameter.defaults.maximum)
                #expect(range.side(of: try #require(values[parameter])) == nil)
            }
            water.advance(by: .seconds(2))
        }
    }

    private func temporaryFile(_ text: String, _ body: (String) throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).csv")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try body(file.path)
    }
}
