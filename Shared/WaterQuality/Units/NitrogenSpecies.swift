/// Masses of nitrogen compounds, expressed as the mass of another species with as many nitrogen atoms: a ratio of molar
/// masses (IUPAC, abridged standard atomic weights 2021). Valid for every concentration.
///
/// Stored values are masses of the ion: NH4+ for total ammonia, NO3- and NO2-; for free ammonia, of NH3.
enum NitrogenSpecies {
    /// The molar masses in grams per mole.
    static let nitrogen = 14.0067
    static let ammonia = 17.0305
    static let ammonium = 18.0385
    static let nitrate = 62.0049
    static let nitrite = 46.0055

    /// 1 mg/L NH4 = 0.94412 mg/L NH3.
    static let ammoniumAsAmmonia = Conversion.linear(factor: ammonia / ammonium)
    /// 1 mg/L N = 1.28784 mg/L NH4.
    static let ammoniumAsNitrogen = Conversion.linear(factor: nitrogen / ammonium)
    /// 1 mg/L N = 1.21588 mg/L NH3.
    static let ammoniaAsNitrogen = Conversion.linear(factor: nitrogen / ammonia)
    /// 1 mg/L N = 4.4268 mg/L NO3.
    static let nitrateAsNitrogen = Conversion.linear(factor: nitrogen / nitrate)
    /// 1 mg/L N = 3.2845 mg/L NO2.
    static let nitriteAsNitrogen = Conversion.linear(factor: nitrogen / nitrite)
}
