import Words

extension RateContent {
    /// The units and digits in which texts, webhooks and the API alike show the values. A unit that does not fit is ignored.
    /// - Returns: `nil` for an all-clear.
    package func told(in unit: Unit?) -> (values: ToldChange, change: Change)? {
        change.map { (ToldChange(parameter, in: unit, change: $0.by, limit: $0.limit, value: $0.value), $0) }
    }

    var rises: Bool { (change?.by ?? 0) > 0 }

    /// The change as text; `nil` in an all-clear.
    func text(in unit: Unit?, _ language: Language) -> (by: String, minutes: Int64, to: String, limit: String)? {
        told(in: unit).map { told, change in
            (
                told.text(change.by, language), max(1, (change.within.components.seconds + 30) / 60),
                told.value(change.value, language), told.text(change.limit, language)
            )
        }
    }
}
