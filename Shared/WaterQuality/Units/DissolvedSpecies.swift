/// Masses of what is dissolved as the mass of another species with as many atoms: a ratio of molar masses (IUPAC, abridged standard atomic
/// weights 2021). Valid for every concentration.
///
/// Stored is the mass of the ion, PO4 for phosphate, and of SiO2 for silicate.
enum DissolvedSpecies {
    /// Grams per mole.
    static let phosphorus = 30.974
    static let phosphate = 94.970
    static let calcium = 40.078
    static let magnesium = 24.305
    static let silicon = 28.085
    static let silica = 60.083

    /// 1 mg/L P = 3.0661 mg/L PO4.
    static let phosphateAsPhosphorus = Conversion.linear(factor: phosphorus / phosphate)
    /// 1 mg/L Ca = 2.4973 mg/L CaCO3.
    static let calciumAsCarbonate = Conversion.linear(factor: CalciumCarbonate.molarMass / calcium)
    /// 1 mg/L Mg = 4.1179 mg/L CaCO3: as much hardness as that of as many atoms of calcium.
    static let magnesiumAsCarbonate = Conversion.linear(factor: CalciumCarbonate.molarMass / magnesium)
    /// 1 mg/L Si = 2.1393 mg/L SiO2.
    static let silicaAsSilicon = Conversion.linear(factor: silicon / silica)
}
