import Instants
import TestSupport
import WaterQuality

/// Decisions over some rounds of a fleet's readings, one value in a hundred out of range: from the stored value to the
/// next state of its watch.
struct EvaluationWork {
    private static let devices = 1_000
    private static let rounds = 100
    private static let interval = Duration.seconds(30)
    static let operations = devices * rounds * Parameter.ofManual.count

    private let ranges: [SafeRange]
    /// The values by round, device and parameter.
    private let values: [Float]
    private let expectedBreaches: Int
    /// The states by device and parameter.
    private var watches: [WatchState]
    private var time = Timestamp(microseconds: 1_777_636_800_000_000)
    private let policy = AlertPolicy()

    init(_ generator: inout SeededGenerator) throws {
        ranges = try Parameter.ofManual.map {
            try SafeRange($0, minimum: $0.defaults.minimum, maximum: $0.defaults.maximum)
        }
        var values: [Float] = []
        values.reserveCapacity(Self.operations)
        var breaches = 0
        for _ in 0..<Self.devices * Self.rounds {
            for parameter in Parameter.ofManual {
                let isBreach = Int.random(in: 0..<100, using: &generator) == 0
                values.append(Self.value(of: parameter, isBreach: isBreach, &generator))
                breaches += isBreach ? 1 : 0
            }
        }
        self.values = values
        expectedBreaches = breaches
        watches = Array(repeating: WatchState(hasRecipient: true), count: Self.devices * Parameter.ofManual.count)
    }

    private static func value(
        of parameter: Parameter, isBreach: Bool, _ generator: inout SeededGenerator
    ) -> Float {
        let minimum = parameter.defaults.minimum?.count ?? parameter.absoluteRange.lowerBound.count
        let maximum = parameter.defaults.maximum?.count ?? parameter.absoluteRange.upperBound.count
        let steps = Int32.random(in: isBreach ? maximum + 1...maximum + 20 : minimum...maximum, using: &generator)
        return parameter.value(of: Steps(steps))
    }

    /// - Throws: `TestSupportError` unless exactly the intended values are out of range.
    mutating func perform() throws {
        var breaches = 0
        var alert = 0
        var position = 0
        for _ in 0..<Self.rounds {
            time = time + Self.interval
            for watch in 0..<Self.devices {
                for parameter in Parameter.ofManual {
                    let number = Int(parameter.rawValue)
                    let index = watch * Parameter.ofManual.count + number
                    let decision = evaluate(
                        ranges[number], watches[index],
                        Reading(time: time, value: parameter.steps(of: values[position])), now: time,
                        newAlert: .new(alert), policy: policy)
                    watches[index] = decision.next
                    if case .alert = decision.notification { alert += 1 }
                    if decision.notification != .none { breaches += 1 }
                    position += 1
                }
            }
        }
        guard breaches == expectedBreaches, alert > 0 else {
            throw TestSupportError("\(breaches) of \(expectedBreaches) values out of range were found")
        }
    }
}
