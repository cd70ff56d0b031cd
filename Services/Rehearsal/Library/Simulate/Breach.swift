import ArgumentParser
import Operator
import WaterQuality

/// The argument of `--breach`: which of the simulated parameters leave their ranges.
enum Breach: ExpressibleByArgument, Hashable, Sendable {
    /// This parameter of every device leaves its default range.
    case everywhere(Parameter)
    /// This percentage of the devices has one parameter, chosen by the seed, that leaves its default range.
    case share(percent: Double)

    init?(argument: String) {
        if let parameter = Parameter(name: argument), Parameter.ofManual.contains(parameter) {
            self = .everywhere(parameter)
        } else if let percent = Double(argument), (0...100).contains(percent) {
            self = .share(percent: percent)
        } else {
            return nil
        }
    }

    /// The parameter of a device that leaves its range; nil for none.
    func parameter(using generator: inout SeededGenerator) -> Parameter? {
        switch self {
        case .everywhere(let parameter): return parameter
        case .share(let percent):
            let isChosen = Double.random(in: 0..<100, using: &generator) < percent
            let parameter = Parameter.ofManual.randomElement(using: &generator)
            return isChosen ? parameter : nil
        }
    }

    /// The depth of the breach, from 0 (none) to 1. It is reached within 45 s, lasts ten minutes, recedes, and begins again
    /// every twenty minutes.
    static func depth(after elapsed: Duration) -> Double {
        let cycle = elapsed.asSeconds.truncatingRemainder(dividingBy: period)
        switch cycle {
        case ..<ramp: return cycle / ramp
        case ..<outside: return 1
        case ..<(outside + ramp): return 1 - (cycle - outside) / ramp
        default: return 0
        }
    }

    private static let ramp = 45.0
    private static let outside = 600.0
    private static let period = 1200.0
}
