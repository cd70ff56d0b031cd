import Testing

@testable import WaterQuality

/// The seven classes of change.
@Suite struct ChangeScaleTests {
    @Test(arguments: Parameter.allCases)
    func `bounds are round, ascend, and begin at two steps`(parameter: Parameter) {
        let bounds = ChangeScale(of: parameter).bounds
        #expect(bounds.count == 3 && bounds == bounds.sorted() && Set(bounds).count == 3, "\(parameter): \(bounds)")
        #expect(bounds[0] >= 2 / Double(parameter.stepsPerUnit) - 1e-9, "\(parameter): \(bounds)")
        for bound in bounds {
            #expect(abs(ChangeScale.roundNumber(nearest: bound) - bound) < 1e-12, "\(parameter): \(bound)")
        }
    }

    @Test func `bounds come from the default limits, or from the catalogue`() {
        #expect(ChangeScale(of: .temperature).bounds == [1, 2, 5])
        #expect(ChangeScale(of: .ph).bounds == [0.2, 0.5, 1])
        #expect(ChangeScale(of: .dissolvedOxygen).bounds == [0.2, 1, 2])
        #expect(ChangeScale(of: .freeAmmonia).bounds == [0.002, 0.01, 0.02])
    }

    @Test func `each class begins at its bound, either way`() {
        let scale = ChangeScale(of: .dissolvedOxygen)
        let expected: [(Double, ChangeScale.Class)] = [
            (0, .same), (0.1, .same), (0.2, .roseALittle), (0.9, .roseALittle), (1, .rose), (1.9, .rose),
            (2, .roseGreatly),
            (20, .roseGreatly),
        ]
        for (difference, rank) in expected {
            #expect(scale.class(of: difference, noise: 0) == rank, "\(difference)")
            #expect(scale.class(of: -difference, noise: 0).rawValue == -rank.rawValue, "\(-difference)")
        }
    }

    @Test func `what chance makes likely is no change`() {
        let scale = ChangeScale(of: .dissolvedOxygen)
        #expect(scale.class(of: 1.5, noise: 1.6) == .same)
        #expect(scale.class(of: 1.5, noise: 1.5) == .rose)
    }

    @Test func `bounds are told in the person's unit, where equal changes are equal`() throws {
        let fahrenheit = try #require(Parameter.temperature.scale(in: .fahrenheit))
        let told = try #require(ChangeScale(of: .temperature).bounds(in: fahrenheit))
        #expect(zip(told, [1.8, 3.6, 9]).allSatisfy { abs($0 - $1) < 1e-9 }, "\(told)")
        let gravity = try #require(Parameter.salinity.scale(in: .specificGravity))
        #expect(ChangeScale(of: .salinity).bounds(in: gravity) == nil)
    }
}
