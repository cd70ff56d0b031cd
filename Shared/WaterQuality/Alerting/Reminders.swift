import Instants

/// How often a person is reminded of what goes on, and for how long.
package struct Reminders: Hashable, Sendable {
    package let interval: Duration
    package let longest: Duration

    /// Daily for a week: a device may have been put away for good.
    package static let daily = Reminders(interval: .seconds(86_400), longest: .seconds(86_400 * 15 / 2))
    package static let never = Reminders(interval: .zero, longest: .zero)

    /// - Parameters:
    ///   - last: When the person was told last.
    ///   - beginning: The beginning of the episode.
    func areDue(at time: Timestamp, after last: Timestamp, since beginning: Timestamp) -> Bool {
        time - last >= interval && time - beginning < longest
    }
}
