/// Content of an alert of kind byHand: somebody who shares the water has measured a value beyond the person's limits, or one within them again.
package struct ByHandContent: Hashable, Sendable {
    package var parameter: Parameter
    /// `nil` in an all-clear, and in a digest.
    package var found: Found?

    package struct Found: Hashable, Sendable {
        package var side: Side
        /// The value that was read; of a step of a kit, the card's.
        package var value: Float
        package var limit: Float
        /// Whether the limit is the critical one.
        package var isCritical: Bool

        package init(side: Side, value: Float, limit: Float, isCritical: Bool = false) {
            self.side = side
            self.value = value
            self.limit = limit
            self.isCritical = isCritical
        }
    }

    package init(parameter: Parameter, found: Found? = nil) {
        self.parameter = parameter
        self.found = found
    }
}

extension ByHandContent {
    /// The content of an alarm about a value, by the limits of one person.
    package init(_ value: HandValue, by range: SafeRange, _ critical: CriticalBand) {
        parameter = value.parameter
        let isCritical = value.isCritical(by: critical)
        guard let side = value.finding(by: range).side,
            let limit = isCritical ? critical.limit(on: side) ?? range.limit(on: side) : range.limit(on: side)
        else { return }
        found = Found(side: side, value: value.value, limit: parameter.value(of: limit), isCritical: isCritical)
    }

    /// The units and digits in which texts, webhooks and the API alike show the values. A unit that does not fit is ignored.
    /// - Returns: `nil` for an all-clear.
    package func told(in unit: Unit?) -> (values: ToldValues, found: Found)? {
        found.map { (ToldValues(parameter, in: unit, value: $0.value, limit: $0.limit), $0) }
    }
}
