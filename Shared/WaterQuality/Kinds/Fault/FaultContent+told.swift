import Words

extension FaultContent {
    /// The units and digits in which texts, webhooks and the API alike show the values. A unit that does not fit is ignored.
    /// - Returns: `nil` where no value has stayed the same.
    package func told(in unit: Unit?) -> (values: ToldValues, flatAt: Float)? {
        flatAt.map { (ToldValues(parameter, in: unit, value: $0, limit: nil), $0) }
    }

    /// The units and digits in which a difference between two probes is shown.
    /// - Returns: `nil` where there is none.
    package func toldDifference(in unit: Unit?) -> (values: ToldChange, by: Float)? {
        differsBy.map { (ToldChange(parameter, in: unit, change: $0, limit: 0, value: 0), $0) }
    }

    /// The value of a flat line, as text.
    func flatAt(in unit: Unit?, _ language: Language) -> String? {
        told(in: unit).map { told, value in told.text(value, language) }
    }
}
