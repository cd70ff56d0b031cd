/// Temperature, stored in degrees Celsius, in other units: °F = °C · 1.8 + 32 and K = °C + 273.15, by definition (BIPM,
/// The International System of Units, 9th edition, 2.3.1; NIST SP 811, B.8). Valid from absolute zero.
enum Temperature {
    /// 0 K in °C.
    static let absoluteZero = -273.15

    static let fahrenheit = Conversion.linear(factor: 1.8, offset: 32, from: absoluteZero)
    static let kelvin = Conversion.linear(factor: 1, offset: 273.15, from: absoluteZero)
}
