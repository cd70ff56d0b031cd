/// Content of an alert of kind rate: a value changes, or changed, faster than the person wants.
package struct RateContent: Hashable, Sendable {
    package var parameter: Parameter
    /// `nil` in an all-clear.
    package var change: Change?

    package struct Change: Hashable, Sendable {
        /// Above zero where the value rose.
        package var by: Float
        package var within: Duration
        /// The value that was reached.
        package var value: Float
        /// The greatest change within an hour that is not told.
        package var limit: Float

        package init(by: Float, within: Duration, value: Float, limit: Float) {
            self.by = by
            self.within = within
            self.value = value
            self.limit = limit
        }
    }

    package init(parameter: Parameter, change: Change? = nil) {
        self.parameter = parameter
        self.change = change
    }
}
