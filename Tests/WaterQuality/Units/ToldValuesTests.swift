import Testing
import Words

@testable import WaterQuality

/// The numbers in an alert's text.
@Suite struct ToldValuesTests {
    static let choices = UnitScaleTests.choices

    /// A text such as "8.0 dKH, below your minimum of 8.0 dKH" would be useless.
    @Test(arguments: choices) func whatCrossedALimitReadsSo(_ choice: UnitScaleTests.Choice) {
        let parameter = choice.parameter
        var wrong: [String] = []
        for limit in choice.steps {
            for distance in [Int32(-2), -1, 0, 1, 2] {
                let value = parameter.value(of: Steps(limit.count + distance))
                let told = ToldValues(parameter, in: choice.scale.unit, value: value, limit: parameter.value(of: limit))
                let (number, line) = (told.number(value), told.number(parameter.value(of: limit)))
                let isRight = distance < 0 ? number < line : distance == 0 ? number == line : number > line
                let shown = choice.range.shown(limit)
                let isEntered = parameter.steps(entered: shown, in: choice.scale) == limit
                let isAsSet = told.unit != choice.scale.unit || !isEntered || line == shown
                if !isRight || !isAsSet { wrong.append("\(number) is \(distance) steps from \(line)") }
            }
        }
        #expect(wrong.isEmpty)
    }

    @Test(arguments: [
        (Parameter.alkalinity, Unit.carbonateHardness, Float(142), Float(143), "7.96 dKH", "8.00 dKH", 2),
        (.alkalinity, .carbonateHardness, 130, 143, "7.3 dKH", "8.0 dKH", 1),
        (.temperature, .fahrenheit, 25.611, 24, "78.1 °F", "75.2 °F", 1),
        (.temperature, .kelvin, 20.05, 20, "293.3 K", "293.2 K", 1),
        (.nitrate, .nitrateNitrogen, 44.4, 44.3, "10.03 mg/L NO₃-N", "10.00 mg/L NO₃-N", 2),
        // The limit was set in another unit.
        (.nitrate, .nitrateNitrogen, 11.9, 11.8, "2.69 mg/L NO₃-N", "2.67 mg/L NO₃-N", 2),
        (.salinity, .specificGravity, 18, 17.9, "1.01354 SG", "1.01350 SG", 5),
        (.salinity, .millisiemensPerCentimetre, 10, 7, "17.0 mS/cm", "12.2 mS/cm", 1),
        (.dissolvedOxygen, .micromolesPerLitre, 6.9, 7, "216 µmol/L", "219 µmol/L", 0),
        (.hardness, .generalHardness, 529, 530, "29.6 dGH", "29.7 dGH", 1),
    ])
    func tells(
        parameter: Parameter, unit: Unit, value: Float, limit: Float, told: String, line: String, decimals: Int
    ) {
        let values = ToldValues(parameter, in: unit, value: value, limit: limit)
        #expect(values.text(value, .en) == told)
        #expect(values.text(limit, .en) == line)
        #expect(values.decimals == decimals && values.unit == unit)
    }

    /// A value that the unit cannot express is given in the canonical unit, and its limit too.
    @Test func whereAFormulaEndsTheCanonicalUnitStandsIn() {
        let told = ToldValues(.salinity, in: .specificGravity, value: 45, limit: 7)
        #expect(told.unit == .ppt && told.decimals == 1)
        #expect(told.text(45, Language(locale: "es")) == "45,0 ppt" && told.number(7) == 7)
        let worst = ToldValues(.salinity, in: .specificGravity, value: 9, limit: 7, worst: 45)
        #expect(worst.unit == .ppt && worst.number(9) == 9)
        #expect(Parameter.salinity.text(-0.2, in: .millisiemensPerCentimetre, .en) == "-0.2 ppt")
        #expect(ToldValues(.ph, in: .fahrenheit, value: 8, limit: 7).unit == .ph)
    }
}
