import Instants

/// Decides which of two instants a time of day means in an hour that occurs twice because clocks were set back.
///
/// The order of the rows decides where times run through the hour twice. An hour with one row at each pass shows as two
/// rows of one time. Everything else needs `--clock-change`.
struct ClockChanges: Hashable, Sendable {
    enum Choice: String, CaseIterable, Hashable, Sendable {
        /// The pass before the change.
        case first
        /// The pass after the change.
        case second
    }

    /// Where the second pass through a doubled hour begins in the file.
    private struct Turn: Hashable, Sendable {
        var line: Int
        /// In a file whose latest row is the first, the pass after the change comes first.
        var isDescending: Bool
    }

    private let choice: Choice?
    private var turns: [Int64: Turn] = [:]

    /// - Parameter choice: A person's choice, for where the order of rows does not tell.
    init(choice: Choice? = nil) { self.choice = choice }

    /// The pass that a time belongs to; nil where nothing tells.
    func choice(of civil: CivilTime, line: Int) -> Choice? {
        guard let turn = turns[Self.day(civil)] else { return choice }
        return (line < turn.line) != turn.isDescending ? .first : .second
    }

    /// The choice for a time that no clock showed, because clocks were set forward.
    var choiceOfSkipped: Choice? { choice }

    /// Learns the passes through the doubled hours of a file.
    struct Learning {
        private struct Hour {
            var rows = 0
            var previous: Timestamp
            /// The lines at which the time of day is earlier than on the line before, two at most.
            var falls: [Int] = []
            /// The lines at which it is later, two at most.
            var rises: [Int] = []
            /// The line of the second of two rows with one time.
            var equal: Int?
        }

        private var hours: [Int64: Hour] = [:]

        /// - Parameter civil: A time of a doubled hour, in the order of the file.
        mutating func add(_ civil: CivilTime, line: Int) {
            let time = Timestamp(civil)
            var hour = hours[ClockChanges.day(civil)] ?? Hour(previous: time)
            if hour.rows > 0 {
                if time > hour.previous {
                    if hour.rises.count < 2 { hour.rises.append(line) }
                } else if time < hour.previous {
                    if hour.falls.count < 2 { hour.falls.append(line) }
                } else {
                    hour.equal = line
                }
            }
            hour.rows += 1
            hour.previous = time
            hours[ClockChanges.day(civil)] = hour
        }

        func changes(choice: Choice?, isDescending: Bool) -> ClockChanges {
            var changes = ClockChanges(choice: choice)
            for (day, hour) in hours {
                let turns = isDescending ? hour.rises : hour.falls
                if turns.count == 1 {
                    changes.turns[day] = Turn(line: turns[0], isDescending: isDescending)
                } else if hour.rows == 2, let line = hour.equal {
                    changes.turns[day] = Turn(line: line, isDescending: isDescending)
                }
            }
            return changes
        }
    }

    private static func day(_ civil: CivilTime) -> Int64 { Timestamp(civil).microseconds / 86_400_000_000 }
}
