/// Dissolved oxygen, stored in milligrams per litre, by volume and by amount of substance. Valid for every
/// concentration.
enum DissolvedOxygen {
    /// 1 mL/L = 1.42905 mg/L: the density of the gas at 0 °C and one atmosphere (UNESCO Technical Papers in Marine
    /// Science 50, 1986; Benson and Krause 1984).
    static let millilitres = Conversion.linear(factor: 1 / 1.42905)
    /// 1 mg/L = 31.2512 µmol/L, from the molar mass of 31.9988 g.
    static let micromoles = Conversion.linear(factor: 31.2512)
}
