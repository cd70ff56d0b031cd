import WaterQuality

/// A metric of reef-pi about water, by the name of its topic.
///
/// People name their sensors in reef-pi, so these names are a convention: the temperature sensor `temperature`, or
/// `temperature_f` where it shows °F, and the pH probe `water`.
struct ReefPiMetric: Equatable, Sendable {
    let parameter: Parameter
    let unit: Unit?

    init?(_ name: Span<UInt8>) {
        if name.spells("temperature_reading") {
            (parameter, unit) = (.temperature, .celsius)
        } else if name.spells("temperature_f_reading") {
            (parameter, unit) = (.temperature, .fahrenheit)
        } else if name.spells("ph_water") {
            (parameter, unit) = (.ph, nil)
        } else {
            return nil
        }
    }
}
