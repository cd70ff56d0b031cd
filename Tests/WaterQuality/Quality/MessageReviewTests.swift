import Instants
import TestSupport
import Testing
import WaterQuality

/// Quality tests on messages while they are read.
@Suite struct MessageReviewTests {
    private static let start = Timestamp(unixSeconds: Int64(1_704_067_200))

    private struct Message: Sendable {
        var time: Timestamp
        var readings: Readings
    }

    private static func messages(_ random: inout SeededGenerator) -> [Message] {
        var time = start
        var values: [Parameter: Float] = [.temperature: 21, .ph: 7, .nitrate: 10]
        return (0..<600).map { _ in
            time =
                time
                + .seconds(
                    Int.random(in: 0..<40, using: &random) == 0 ? 9_000 : Int.random(in: 60...1_800, using: &random))
            var readings = Readings()
            for parameter in [Parameter.temperature, .ph, .nitrate] where Int.random(in: 0..<4, using: &random) > 0 {
                if Int.random(in: 0..<12, using: &random) == 0 {
                    values[parameter]? += Float.random(in: -3...3, using: &random)
                }
                let isGlitch = Int.random(in: 0..<30, using: &random) == 0
                readings[parameter] = isGlitch ? -127 : values[parameter]
            }
            return Message(time: time, readings: readings)
        }
    }

    /// Messages read in pages get the same flags as messages read at once.
    @Test(arguments: 0..<12) func pagesChangeNothing(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let messages = Self.messages(&random)
        var expected = messages.map { _ in [QualityFlag?](repeating: nil, count: Parameter.allCases.count) }
        for parameter in Parameter.allCases {
            let places = messages.indices.filter { messages[$0].readings[parameter] != nil }
            var review = QualityReview(parameter.qualityThresholds)
            for place in places { review.add(messages[place].readings[parameter], at: messages[place].time) }
            for (place, flags) in zip(places, review.flags) {
                expected[place][Int(parameter.rawValue)] = flags.overall
            }
        }
        var review = MessageReview<Timestamp>()
        var given: [MessageReview<Timestamp>.Reviewed] = []
        var early = 0
        for message in messages {
            review.add(message.time, message.readings, at: message.time)
            guard Int.random(in: 0..<20, using: &random) == 0 else { continue }
            given += review.settled(before: message.time)
            early = given.count
        }
        given += review.rest()
        #expect(early > 300, "they do not wait for the end")
        #expect(given.map(\.message) == messages.map(\.time))
        #expect(given.map(\.quality) == expected)
        #expect(Set(expected.joined().compactMap(\.self)).count >= 3)
        #expect(review.rest().isEmpty)
    }

    /// A frozen probe delays only a limited number of messages; older ones are given with the flags known so far.
    @Test func noMoreWaitThanMay() {
        var review = MessageReview<Int>(mostWaiting: 10)
        var given: [MessageReview<Int>.Reviewed] = []
        var readings = Readings()
        readings[.temperature] = 21
        for number in 0..<1_600 {
            let time = Self.start + .seconds(30 * number)
            review.add(number, readings, at: time)
            given += review.settled(before: time)
        }
        #expect(given.map(\.message) == Array(0..<given.count) && given.count >= 1_590)
        let codes = given.map { $0.quality[0]?.rawValue }
        #expect(codes[700] == 1 && codes[730] == 3 && codes[1_450] == 4)
        #expect(given[730].cells == ",3" + String(repeating: ",", count: Parameter.allCases.count - 1))
    }
}
