import Words

extension AheadContent {
    /// The units and digits in which texts, webhooks and the API alike show the values. A unit that does not fit is ignored.
    /// - Returns: `nil` for an all-clear.
    package func told(in unit: Unit?) -> (values: ToldValues, outlook: Outlook)? {
        outlook.map { (ToldValues(parameter, in: unit, value: $0.value, limit: $0.limit), $0) }
    }

    /// The newest reading and the limit, as text; `nil` in an all-clear.
    func text(in unit: Unit?, _ language: Language) -> (value: String, limit: String)? {
        told(in: unit).map { told, outlook in (told.text(outlook.value, language), told.text(outlook.limit, language)) }
    }
}
