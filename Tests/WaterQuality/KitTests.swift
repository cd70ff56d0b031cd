import Testing
import WaterQuality

/// The kits that are known, and what their steps stand for.
@Suite struct KitTests {
    @Test(
        arguments: [
            ("0", 0, 0, 0.125), ("0.25", 0.25, 0.125, 0.375), ("0.5", 0.5, 0.375, 0.75), ("4", 4, 3, 6),
            ("8", 8, 6, nil),
        ] as [(String, Double, Float?, Float?)])
    func stepsOfACardReachHalfWayToTheirNeighbours(choice: String, read: Double, lower: Float?, upper: Float?) throws {
        let value = try #require(HandValue(.ammonia, choice: choice, of: try kit("api-freshwater")))
        #expect(value.read == read)
        #expect(value.lower == lower)
        #expect(value.upper == upper)
    }

    @Test func aScaleThatBeginsAboveZeroIsOpenBelow() throws {
        let kit = try kit("api-freshwater")
        #expect(try #require(HandValue(.ph, choice: "6", of: kit)).lower == nil)
        #expect(try #require(HandValue(.ph, choice: "7.6", of: kit)).upper == nil, "the bottle for high pH tells more")
        #expect(try #require(HandValue(.ph, choice: "7.4", of: kit)).lower == nil)
        #expect(try #require(HandValue(.ph, choice: "8.8", of: kit)).upper == nil)
        #expect(HandValue(.ph, choice: "7.5", of: kit) == nil)
        #expect(HandValue(.alkalinity, choice: "7.6", of: kit) == nil)
    }

    /// 1 mg/L of nitrogen is 4.4268 mg/L of nitrate.
    @Test func classesOfNitrogenAreStoredAsNitrate() throws {
        let kit = try kit("freshwater-watch-nitrate")
        let value = try #require(HandValue(.nitrate, choice: "1-2", of: kit))
        #expect(value.unit == .nitrateNitrogen)
        #expect(value.read == 1.5)
        #expect(abs(try #require(value.lower) - 4.4268) < 0.001)
        #expect(abs(try #require(value.upper) - 8.8536) < 0.001)
        let last = try #require(HandValue(.nitrate, choice: ">10", of: kit))
        #expect(last.upper == nil)
        #expect(abs(try #require(last.lower) - 44.268) < 0.01)
        #expect(try #require(HandValue(.nitrate, choice: "<0.2", of: kit)).lower == 0)
    }

    /// A drop is a German degree, 17.848 ppm of calcium carbonate; 1 mg/L NH3 is 1.0592 mg/L NH4.
    @Test func numbersAreConvertedByTheirUnits() throws {
        let drops = try #require(HandValue(.alkalinity, read: 5, in: .carbonateHardness))
        #expect(abs(drops.value - 89.24) < 0.01)
        let ammonia = try #require(HandValue(.ammonia, read: 1, in: .ammoniaMass))
        #expect(abs(ammonia.value - 1.0592) < 0.001)
        #expect(HandValue(.ph, read: 7, in: .celsius) == nil)
    }

    @Test func eachStepOfAKitHasANameOfItsOwn() {
        #expect(Set(Kit.catalogue.map(\.id)).count == Kit.catalogue.count)
        for kit in Kit.catalogue {
            let choices = kit.tests.flatMap { test in test.steps.map { "\(test.parameter) \($0.choice)" } }
            #expect(Set(choices).count == choices.count, "\(kit.id)")
            #expect(kit.id.utf8.count <= 40 && kit.tests.count <= Parameter.count)
        }
    }

    @Test func stepsAreInOrderWithoutGaps() {
        for test in Kit.catalogue.flatMap(\.tests) where !test.steps.isEmpty {
            for (step, next) in zip(test.steps, test.steps.dropFirst()) {
                #expect(step.upper == next.lower, "\(test.parameter) \(step.choice)")
                #expect(step.value < next.value)
            }
            #expect(test.steps.last?.upper == nil)
        }
    }

    private func kit(_ id: String) throws -> Kit { try #require(Kit.named(id)) }
}
