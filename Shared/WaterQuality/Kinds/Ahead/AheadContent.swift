package import Instants

/// Content of an alert of kind ahead: a value reaches a limit if it goes on as it has lately, or does so no more.
package struct AheadContent: Hashable, Sendable {
    package var parameter: Parameter
    /// `nil` in an all-clear.
    package var outlook: Outlook?

    package struct Outlook: Hashable, Sendable {
        /// The side of the limit.
        package var side: Side
        /// The newest reading.
        package var value: Float
        package var limit: Float
        /// When the limit is reached, by a right clock.
        package var expectedAt: Timestamp

        package init(side: Side, value: Float, limit: Float, expectedAt: Timestamp) {
            self.side = side
            self.value = value
            self.limit = limit
            self.expectedAt = expectedAt
        }
    }

    package init(parameter: Parameter, outlook: Outlook? = nil) {
        self.parameter = parameter
        self.outlook = outlook
    }
}
