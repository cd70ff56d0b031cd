/// A setting of a kind of alert beside the limits, declared once, in the room of its kind. The database's column, the API's
/// member, the export's, and the tool's report follow from the declaration.
package struct SettingDeclaration: Hashable, Sendable {
    /// A value is stored as a whole number; none where the setting is as it is at first.
    package enum Form: Hashable, Sendable {
        /// On or off, and off at first.
        case flag
        /// A length of time in whole seconds, at first zero.
        case seconds(upTo: Int)
        /// A length of time in whole minutes, at first none.
        case minutes(ClosedRange<Int>)
        /// A change of the value within an hour, in sensor steps, at first none.
        case change
    }

    /// The API's name, such as `aheadMinutes`.
    package let name: String
    package let form: Form
    /// The effect of the setting, in a sentence of the API's description.
    package let text: String
    package let example: Int

    package init(_ name: String, _ form: Form, _ text: String, example: Int) {
        self.name = name
        self.form = form
        self.text = text
        self.example = example
    }
}
