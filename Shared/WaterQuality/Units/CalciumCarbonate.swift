/// Alkalinity and hardness, stored as milligrams of calcium carbonate per litre, in the units of test kits and
/// waterworks. Each unit is a fixed mass of CaCO3 (DIN 38409-6; ISO 6059; ISO 9963-1; Standard Methods 2320 and 2340),
/// valid for every concentration.
enum CalciumCarbonate {
    /// The molar mass of CaCO3 in grams per mole; the next is that of CaO.
    static let molarMass = 100.0869
    private static let molarMassOfOxide = 56.0774
    /// A grain in milligrams, a US and an imperial gallon in litres: exact by definition.
    private static let grain = 64.79891
    private static let gallon = 3.785411784
    private static let imperialGallon = 4.54609

    /// German degrees, each 10 mg CaO per litre: 17.848 mg CaCO3.
    static let germanDegrees = Conversion.linear(factor: molarMassOfOxide / (10 * molarMass))
    /// Millimoles of CaCO3, each 100.087 mg; also for alkalinity, where one mole takes two of acid.
    static let millimoles = Conversion.linear(factor: 1 / molarMass)
    /// Milliequivalents, each half a millimole: 50.043 mg.
    static let milliequivalents = Conversion.linear(factor: 2 / molarMass)
    /// French degrees, each 10 mg CaCO3 per litre.
    static let frenchDegrees = Conversion.linear(factor: 0.1)
    /// Clark degrees, each a grain per imperial gallon: 14.254 mg per litre.
    static let clarkDegrees = Conversion.linear(factor: imperialGallon / grain)
    /// Grains per US gallon, each 17.118 mg per litre.
    static let grainsPerGallon = Conversion.linear(factor: gallon / grain)
}
