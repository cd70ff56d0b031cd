import Testing

@testable import WaterQuality

@Suite struct SafeRangeTests {
    @Test func equalIsInRange() throws {
        let range = try SafeRange(.ph, minimum: 7.5, maximum: 8.5)
        #expect(range.contains(Steps(75)) && range.contains(Steps(85)))
        #expect(!range.contains(Steps(74)) && !range.contains(Steps(86)))
        #expect(range.side(of: Steps(74)) == .low && range.side(of: Steps(86)) == .high)
        #expect(range.side(of: Steps(80)) == nil)
        #expect(range.limit(on: .low) == Steps(75) && range.limit(on: .high) == Steps(85))
    }

    @Test func limitsAreOptional() throws {
        let none = try SafeRange(.nitrate)
        #expect(none.contains(Steps(Steps.largest)) && none.contains(Steps(-Steps.largest)))
        #expect(none.minimum == nil && none.maximum == nil && none.limit(on: .low) == nil)
        let below = try SafeRange(.ammonia, maximum: Steps(25))
        #expect(below.contains(Steps(-1)) && !below.contains(Steps(26)))
        #expect(below.isBeyondSensor(Steps(-1)) && below.isBeyondSensor(Steps(81)) && !below.isBeyondSensor(Steps(80)))
    }

    @Test func limitsSnap() throws {
        let range = try SafeRange(.temperature, minimum: 18.45, maximum: 24.05)
        #expect(range.minimum == Steps(185) && range.maximum == Steps(241))
    }

    @Test(arguments: [
        (Parameter.ammonia, Float(0.1), Float?.none, SafeRange.Fault.noMinimumSetting(.ammonia)),
        (.nitrite, 0, 0.2, .noMinimumSetting(.nitrite)),
        (.ph, 8, 8, .limitsCross(.ph)), (.ph, 8.1, 8, .limitsCross(.ph)), (.ph, 8.01, 8.04, .limitsCross(.ph)),
        (.ph, 0.9, nil, .minimumBeyondSensor(.ph)), (.ph, 7, 14.1, .maximumBeyondSensor(.ph)),
        (.temperature, -.infinity, nil, .minimumBeyondSensor(.temperature)),
        (.ph, .nan, nil, .notANumber(.ph)), (.ph, 7, .nan, .notANumber(.ph)),
    ])
    func refuses(parameter: Parameter, minimum: Float, maximum: Float?, fault: SafeRange.Fault) {
        #expect(throws: fault) { try SafeRange(parameter, minimum: minimum, maximum: maximum) }
    }

    @Test func aStepApartIsEnough() throws {
        let range = try SafeRange(.temperature, minimum: 22.5, maximum: 22.6)
        #expect(range.minimum == Steps(225) && range.maximum == Steps(226))
    }

    @Test func faultsSayWhatToDo() {
        #expect(
            SafeRange.Fault.noMinimumSetting(.ammonia).description
                == "ammonia has no minimum, as its best value is zero; set only a maximum.")
        #expect(
            SafeRange.Fault.minimumBeyondSensor(.temperature).description
                == "The minimum of temperature must be from -40.0 °C to 40.0 °C, which is what its sensor measures.")
        #expect(
            SafeRange.Fault.maximumBeyondSensor(.ph).description
                == "The maximum of ph must be from 1.0 to 14.0, which is what its sensor measures.")
        #expect(
            SafeRange.Fault.limitsCross(.nitrate).description
                == "The minimum of nitrate must be at least 0.1 ppm below its maximum; lower the minimum or raise the maximum first."
        )
        #expect(SafeRange.Fault.notANumber(.ph).description == "A limit of ph must be a number.")
    }

    /// Parameter, limits in steps, side, a value that ends the episode and one that does not.
    @Test(arguments: [
        (Parameter.ph, Int32?(75), Int32?(85), Side.high, Int32(84), Int32?(85)),
        (.ph, 75, 85, .low, 76, 75),
        // Two steps wide: the band ends in the middle. One step wide: the middle lies between steps, so the limit
        // itself is enough.
        (.ph, 80, 82, .high, 81, 82), (.ph, 80, 82, .low, 81, 80),
        (.ph, 80, 81, .high, 81, nil), (.ph, 80, 81, .low, 80, nil),
        // The middle is rounded in the same direction below zero.
        (.temperature, -4, -3, .high, -3, nil), (.temperature, -4, -3, .low, -4, nil),
        (.temperature, -1, 0, .high, 0, nil), (.temperature, -1, 0, .low, -1, nil),
        // Recovery is possible from limits at the ends of the absolute range.
        (.ammonia, nil, 0, .high, 0, nil), (.ammonia, nil, 1, .high, 1, nil), (.ammonia, nil, 2, .high, 1, 2),
        (.ph, 140, nil, .low, 140, nil), (.ph, nil, 10, .high, 10, nil), (.ph, 139, nil, .low, 139, nil),
        // The crossed limit was removed.
        (.ph, 75, nil, .high, 140, nil), (.ph, nil, 85, .low, 10, nil),
    ])
    func recoversByTheDeadBand(
        parameter: Parameter, minimum: Int32?, maximum: Int32?, side: Side, enough: Int32, tooLittle: Int32?
    ) throws {
        let range = try SafeRange(parameter, minimum: minimum.map { Steps($0) }, maximum: maximum.map { Steps($0) })
        #expect(range.hasRecovered(Steps(enough), from: side, deadBand: 1))
        if let tooLittle { #expect(!range.hasRecovered(Steps(tooLittle), from: side, deadBand: 1)) }
    }

    @Test func everyRangeCanBeRecoveredFromWithAnyBand() throws {
        for minimum in Int32(10)..<40 {
            for maximum in minimum + 1...41 {
                let range = try SafeRange(.ph, minimum: Steps(minimum), maximum: Steps(maximum))
                for band in [Int32(0), 1, 2, 5, 1000] {
                    for side in Side.allCases {
                        #expect(
                            (minimum...maximum).contains {
                                range.hasRecovered(Steps($0), from: side, deadBand: band)
                            })
                    }
                }
            }
        }
    }
}
