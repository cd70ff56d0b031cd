/// The content of a message about reminders: what is due, all of it in one; or that somebody did it, which takes the place of the first.
package struct CareContent: Hashable, Sendable {
    package var whole: Whole
    /// The reminders that are named, the oldest first; at most twelve, and one at least.
    package var items: [Item]

    package init(whole: Whole, items: [Item]) {
        self.whole = whole
        self.items = items
    }

    package struct Whole: Hashable, Sendable, Decodable {
        /// How many there are, also those that are not named.
        package var count: Int
        /// The alert whose place it takes, where all of it was done; `nil`: it is due.
        package var replaces: String?
        /// Whether some of it was left out.
        package var skipped: Bool?

        package init(count: Int, replaces: String? = nil, skipped: Bool? = nil) {
            self.count = count
            self.replaces = replaces
            self.skipped = skipped
        }
    }

    package struct Item: Hashable, Sendable, Decodable {
        /// The person's name for the device.
        package var tank: String
        /// The reminder's name.
        package var name: String
        /// The occurrence, by the clock of the reminder's zone: `2027-03-05T18:00`.
        package var on: String
        /// How many were missed right before it.
        package var missed: Int
        /// The person who did it, or left it out; `nil`: nobody yet, or somebody who is gone.
        package var by: String?
        package var skipped: Bool?

        package init(tank: String, name: String, on: String, missed: Int = 0, by: String? = nil, skipped: Bool? = nil) {
            self.tank = tank
            self.name = name
            self.on = on
            self.missed = missed
            self.by = by
            self.skipped = skipped
        }
    }

    /// Whether it says that all of it was done.
    package var isDone: Bool { whole.replaces != nil }
}
