import TestSupport
import Testing
import WaterQuality

@Suite struct StepsTests {
    @Test(arguments: [
        (8.45, Parameter.ph, 85), (8.3, .ph, 83), (8.35, .ph, 84), (-8.45, .temperature, -85), (0.05, .ph, 1),
        (0.04999, .ph, 0), (-0.05, .temperature, -1), (-0.04, .temperature, 0), (0.005, .ammonia, 1),
        (0.25, .ammonia, 25), (0.255, .ammonia, 26), (0.245, .nitrite, 25), (199.5, .alkalinity, 200),
        (0.5, .hardness, 1), (-0.5, .hardness, -1), (24.0499, .temperature, 240), (24.05, .temperature, 241),
    ])
    func snapsHalvesAwayFromZero(value: Float, parameter: Parameter, steps: Int32) {
        #expect(parameter.steps(of: value) == Steps(steps))
    }

    @Test func aLimitStoredInThirtyTwoBitsIsNotExceededByItself() {
        #expect(Double(Float(8.3)) > 8.3)
        for parameter in Parameter.allCases {
            for count in parameter.absoluteRange.lowerBound.count...parameter.absoluteRange.upperBound.count {
                #expect(parameter.steps(of: parameter.value(of: Steps(count))) == Steps(count))
            }
        }
    }

    @Test func hostileValuesClamp() {
        for parameter in Parameter.allCases {
            for value in [Float.infinity, .greatestFiniteMagnitude, 1e30, 1_000_001, .nan] {
                #expect(parameter.steps(of: value) == Steps(Steps.largest))
            }
            #expect(parameter.steps(of: -.infinity) == Steps(-Steps.largest))
            #expect(parameter.steps(of: .leastNonzeroMagnitude) == Steps(0))
            #expect(parameter.steps(of: -0.0) == Steps(0))
        }
        #expect(Steps(.max) == Steps(Steps.largest))
        #expect(Steps(.min) == Steps(-Steps.largest))
    }

    /// Every float around every half step, random decimals and random bit patterns, compared with decimal arithmetic on
    /// the shortest text.
    @Test(arguments: [Parameter.ph, .ammonia, .hardness])
    func snapsLikeTheShortestDecimalText(parameter: Parameter) {
        var random = SeededGenerator(seed: 3)
        var values: [Float] = []
        for count in Int32(0)..<12_000 {
            let half = Float((Double(count) + 0.5) / Double(parameter.stepsPerUnit))
            values += [half.nextDown.nextDown, half.nextDown, half, half.nextUp, half.nextUp.nextUp]
        }
        for _ in 0..<20_000 {
            let count = Int32.random(in: 0..<Steps.largest, using: &random)
            let half = Float((Double(count) + 0.5) / Double(parameter.stepsPerUnit))
            values += [half.nextDown, half, half.nextUp]
            values.append(Float(Double(Int.random(in: 0..<100_000_000, using: &random)) / 10_000))
            values.append(Float(bitPattern: UInt32.random(in: 0..<0x4700_0000, using: &random)))
        }
        var wrong = 0
        for value in values {
            for signed in [value, -value] where parameter.steps(of: signed) != reference(signed, of: parameter) {
                wrong += 1
            }
        }
        #expect(wrong == 0)
    }

    /// Rounds half away from zero on the decimal digits of Swift's shortest text.
    private func reference(_ value: Float, of parameter: Parameter) -> Steps {
        let parts = "\(value.magnitude)".split(separator: "e")
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let number = parts[0].split(separator: ".")
        let digits = Array(number.joined().utf8).map { Int($0) - 48 }
        // The number of digits before the decimal mark once it has moved by the steps' power of ten.
        let whole = number[0].utf8.count + exponent + parameter.decimals
        var count = digits.prefix(max(0, whole)).reduce(0) { min($0 * 10 + $1, 100_000_000) }
        for _ in 0..<max(0, whole - digits.count) { count = min(count * 10, 100_000_000) }
        if whole >= 0, whole < digits.count, digits[whole] >= 5 { count += 1 }
        return Steps(Int32(value < 0 ? -count : count))
    }
}
