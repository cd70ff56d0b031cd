/// The fixed rules of a kind of alert. Beside them a kind has a detector (`Finding`), a content (`Alert.Content`), and words.
package struct KindRules: Hashable, Sendable {
    /// Whether its alerts name a side, each of which has a throttle of its own.
    package var hasSides = false
    /// How often people are reminded; `nil`: whenever the throttle is free.
    package var reminders: Reminders?
    /// Whether an alert that is still on its way holds back the next one, however long it takes. Of what follows from readings it
    /// does not, so that the same readings give the same alerts.
    package var awaitsDelivery = false
    /// Whether an alert that is still on its way takes the text of what is found meanwhile.
    package var replacesText = false
    /// Whether each finding that the trouble goes on is recorded: it may have got worse.
    package var recordsEach = false
    /// The limit of the person's that its alerts name, which are moot once that is another one; `nil` where they name none.
    package var namedLimit: NamedLimit?
    /// Whether the times of its alerts are the database's, so that no lag of a device's clock is added when they are shown.
    package var timesAreOurs = false
    /// Whether a reading has to show that the calm lasts before an end is announced. A silence ends by being heard.
    package var calmIsRead = true
    /// How long an acknowledgement lasts at most. Water that has been bad, has changed fast, or has been on the way to a limit for a
    /// day is told again. A silence or a fault, of which people are reminded daily, is not told again before they would have been
    /// told last.
    package var longestAcknowledgement = Duration.seconds(86_400)

    package enum NamedLimit: Hashable, Sendable {
        /// The limit of the range that was crossed, or is headed for, or the critical one beyond it.
        case ofRange
        /// How much the value may change within an hour.
        case ofChange
    }
}
