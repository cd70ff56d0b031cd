import Words

extension FaultContent {
    /// The units and digits in which texts, webhooks and the API alike show the values. A unit that does not fit is ignored.
    /// - Returns: `nil` if the probe itself reports that it is broken.
    package func told(in unit: Unit?) -> (values: ToldValues, flatAt: Float)? {
        flatAt.map { (ToldValues(parameter, in: unit, value: $0, limit: nil), $0) }
    }

    /// The value of a flat line, as text.
    func flatAt(in unit: Unit?, _ language: Language) -> String? {
        told(in: unit).map { told, value in told.text(value, language) }
    }
}
