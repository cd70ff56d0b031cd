/// Electrical conductivity at 25 °C, stored in µS/cm: 1 mS/cm = 1,000 µS/cm and 1 S/m = 10,000 µS/cm, by definition.
enum Conductivity {
    static let millisiemensPerCentimetre = Conversion.linear(factor: 1.0 / 1_000)
    static let siemensPerMetre = Conversion.linear(factor: 1.0 / 10_000)
}
