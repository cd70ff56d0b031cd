package import Instants

/// The time for which values hold: until the next value, and at most for three of the pauses usual just before.
///
/// The step rule: a value is the water's until the next value; no line is drawn between the two, because nobody
/// measured its slope. When a value no longer holds, a gap begins, about which nothing is known. A mean weighs a value
/// by the time that it holds, the time outside limits adds that time up, and a chart draws no line across a gap: all
/// three use this type, so that they agree.
///
/// A pause is usual if it recurs: the third longest of the last 24 counts, so that a device which now sends less often
/// is understood after three pauses, and one outage changes nothing. Readings in quick succession count as one, because
/// many devices wake, send several readings and sleep. Only the time before a value decides how long it holds: the
/// figures of a past hour depend neither on the period that is looked at nor on what is measured later. A value that comes
/// late changes the pauses before later ones: a chart takes them as they are when it is drawn, while hours that are rolled
/// up already keep their time outside, except for the hour of the value and, as long as that changes them, the next ones.
package struct HoldTime: Sendable {
    /// The time for which each value holds at least if none follows: the delay until a silence is reported.
    package static let shortest = Duration.seconds(300)
    private static let factor: Int64 = 3
    /// The largest distance of readings that count as one: three times as much is no more than `shortest`.
    private static let atOnce: Int64 = 100_000_000
    private static let remembered = 24
    private static let recurring = 3

    /// The number of messages before a period, and how far back to look for them, that suffice to know the usual pause
    /// at its beginning.
    package static let messagesBefore = 250
    package static let before = Duration.seconds(7 * 86_400)

    /// The last pauses in microseconds, unordered once the memory is full.
    private var pauses: [Int64] = []
    private var next = 0
    /// The first reading of the last quick succession.
    private var last: Timestamp?

    package init() {}

    /// Records the time of a value.
    package mutating func note(_ time: Timestamp) {
        guard let last else {
            self.last = time
            return
        }
        let pause = time.microseconds - last.microseconds
        guard pause >= Self.atOnce else { return }
        self.last = time
        note(pause: pause)
    }

    /// Records a pause.
    package mutating func note(pause: Int64) {
        if pauses.count < Self.remembered {
            pauses.append(pause)
        } else {
            pauses[next] = pause
            next = (next + 1) % Self.remembered
        }
    }

    /// The time for which a value holds if none follows.
    package var longest: Int64 { max(Self.shortest.wholeMicroseconds, usual * Self.factor) }

    /// The time for which a value holds that is followed by another after a pause.
    package func held(for pause: Int64) -> Int64 {
        pause <= Self.shortest.wholeMicroseconds ? pause : min(pause, longest)
    }

    /// The longest pause that recurs. The shorter one if there are two: a single long one may be an outage.
    private var usual: Int64 {
        guard pauses.count >= 2 else { return 0 }
        var most = [Int64](repeating: 0, count: min(Self.recurring, pauses.count))
        for pause in pauses {
            guard let place = most.firstIndex(where: { $0 < pause }) else { continue }
            most.insert(pause, at: place)
            most.removeLast()
        }
        return most.last ?? 0
    }
}
