import Testing
import WaterQuality

/// Values by hand against limits, and typing errors.
@Suite struct HandValueTests {
    /// A step is beyond a limit only with all that looks like it.
    @Test(
        arguments: [
            ("0.25", 0.25, .inRange), ("0.5", 0.25, .high), ("0.5", 0.37, .high), ("0.5", 0.38, .inRange),
            ("8", 0.25, .high),
            ("0", 0.25, .inRange),
        ] as [(String, Float, HandFinding)])
    func stepsAreJudgedByTheirInterval(choice: String, maximum: Float, finding: HandFinding) throws {
        let kit = try #require(Kit.named("api-freshwater"))
        let value = try #require(HandValue(.ammonia, choice: choice, of: kit))
        #expect(value.finding(by: try SafeRange(.ammonia, minimum: nil, maximum: maximum)) == finding)
    }

    @Test func anOpenStepIsBelowNoLimitButItsOwn() throws {
        let kit = try #require(Kit.named("api-freshwater"))
        let range = try SafeRange(.ph, minimum: 6.6 as Float, maximum: 7.3)
        func finding(_ choice: String) throws -> HandFinding {
            try #require(HandValue(.ph, choice: choice, of: kit)).finding(by: range)
        }
        #expect(try finding("6") == .low)
        #expect(try finding("6.6") == .inRange, "6.5 to 6.7")
        #expect(try finding("7.4") == .inRange, "7.6 and everything below")
        #expect(try finding("7.6") == .high, "from 7.4 on")
    }

    /// A number is judged as a reading is: 8.3, stored in 32 bits, does not exceed a limit of 8.3.
    @Test(arguments: [(8.3, .inRange), (8.34, .inRange), (8.36, .high), (7, .low)] as [(Double, HandFinding)])
    func numbersAreJudgedInSensorSteps(read: Double, finding: HandFinding) throws {
        let range = try SafeRange(.ph, minimum: 7.1 as Float, maximum: 8.3)
        #expect(try #require(HandValue(.ph, read: read, in: .ph)).finding(by: range) == finding)
    }

    @Test func withoutALimitThereIsNothingToSay() throws {
        let value = try #require(HandValue(.ph, read: 7, in: .ph))
        #expect(value.finding(by: nil) == .noLimit)
        #expect(value.finding(by: try SafeRange(.ph, minimum: nil as Steps?, maximum: nil)) == .noLimit)
    }

    @Test func criticalIsWhatIsWhollyBeyondTheCriticalLimit() throws {
        let kit = try #require(Kit.named("api-freshwater"))
        let range = try SafeRange(.ammonia, minimum: nil, maximum: 0.25 as Float)
        let band = try CriticalBand(beyond: range, minimum: nil, maximum: Parameter.ammonia.steps(of: 0.5))
        #expect(!(try #require(HandValue(.ammonia, choice: "0.5", of: kit))).isCritical(by: band))
        #expect(try #require(HandValue(.ammonia, choice: "1", of: kit)).isCritical(by: band))
        #expect(try #require(HandValue(.ammonia, read: 0.51, in: .ppm)).isCritical(by: band))
    }

    /// Value typed, last known value, whether it is asked about.
    @Test(
        arguments: [
            (.ph, 7.4, 7.2, false), (.ph, 4.7, 7.4, true), (.temperature, 25, 24, false), (.temperature, 2.5, 24, true),
            (.alkalinity, 12, 120, true), (.alkalinity, 1000, 120, true), (.alkalinity, 90, 120, false),
            (.nitrate, 50, 5, true), (.nitrate, 40, 5, false), (.nitrate, 0, 40, false), (.ammonia, 5, 0, true),
            (.ammonia, 0.2, 0, false), (.ammonia, 4, 2, false), (.nitrate, 40, nil, false), (.nitrate, 400, nil, true),
        ] as [(Parameter, Float, Float?, Bool)])
    func whatIsFarFromTheLastIsAskedAbout(parameter: Parameter, value: Float, last: Float?, isAsked: Bool) {
        #expect(TypingCheck.expected(parameter, after: last).contains(value) == !isAsked)
    }

    @Test func whatIsExpectedIsPossibleAndHoldsTheLast() {
        for parameter in Parameter.allCases {
            let possible = TypingCheck.possible(parameter)
            for part in 0...20 {
                let last = possible.lowerBound + (possible.upperBound - possible.lowerBound) * Float(part) / 20
                let expected = TypingCheck.expected(parameter, after: last)
                #expect(expected.lowerBound >= possible.lowerBound && expected.upperBound <= possible.upperBound)
                #expect(expected.contains(last), "\(parameter) \(last)")
            }
        }
    }
}
