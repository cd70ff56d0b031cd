/// Alkalinity and hardness, stored as milligrams of calcium carbonate per litre, in the units of test kits and of
/// waterworks. Each is a fixed mass of CaCO3 (DIN 38409-6; ISO 6059; ISO 9963-1; Standard Methods 2320 and 2340), valid
/// for every concentration.
enum CalciumCarbonate {
    /// Grams per mole.
    private static let molarMass = 100.0869
    private static let molarMassOfOxide = 56.0774
    /// A grain in milligrams, a US and an imperial gallon in litres: exact, by definition.
    private static let grain = 64.79891
    private static let gallon = 3.785411784
    private static let imperialGallon = 4.54609

    /// A German degree is 10 mg CaO in a litre: 17.848 mg CaCO3.
    static let germanDegrees = Conversion.linear(factor: molarMassOfOxide / (10 * molarMass))
    /// 100.087 mg. Of alkalinity, too, these are moles of CaCO3, each of which takes two of acid.
    static let millimoles = Conversion.linear(factor: 1 / molarMass)
    /// Half a millimole: 50.043 mg.
    static let milliequivalents = Conversion.linear(factor: 2 / molarMass)
    /// A French degree is 10 mg CaCO3 in a litre.
    static let frenchDegrees = Conversion.linear(factor: 0.1)
    /// A grain in an imperial gallon: 14.254 mg.
    static let clarkDegrees = Conversion.linear(factor: imperialGallon / grain)
    /// A grain in a US gallon: 17.118 mg.
    static let grainsPerGallon = Conversion.linear(factor: gallon / grain)
}
