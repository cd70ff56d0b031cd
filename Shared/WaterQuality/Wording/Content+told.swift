// The units and digits in which the values of each kind are shown: in texts, webhooks and the API alike. A chosen unit that does not
// fit is ignored.

extension RangeContent {
    package func told(in unit: Unit?) -> ToldValues {
        ToldValues(parameter, in: unit, value: value, limit: limit, worst: worst)
    }
}

extension FaultContent {
    /// - Returns: `nil` if the probe itself reports that it is broken.
    package func told(in unit: Unit?) -> (values: ToldValues, flatAt: Float)? {
        flatAt.map { (ToldValues(parameter, in: unit, value: $0, limit: nil), $0) }
    }
}

extension RateContent {
    /// - Returns: `nil` for an all-clear.
    package func told(in unit: Unit?) -> (values: ToldChange, change: Change)? {
        change.map { (ToldChange(parameter, in: unit, change: $0.by, limit: $0.limit, value: $0.value), $0) }
    }
}

extension AheadContent {
    /// - Returns: `nil` for an all-clear.
    package func told(in unit: Unit?) -> (values: ToldValues, outlook: Outlook)? {
        outlook.map { (ToldValues(parameter, in: unit, value: $0.value, limit: $0.limit), $0) }
    }
}
