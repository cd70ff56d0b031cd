package import Instants

/// For how long values hold: each until the next one comes, and no longer than for three of the pauses that were usual just before it.
///
/// The step rule: a value is the water's until the next value; no line is drawn between the two, whose slope nobody measured. After a
/// value holds no more there is a gap, of which nothing is known. A mean weighs a value by the time that it holds, time outside limits
/// adds that time up, and a drawing crosses no gap: all three by this type, so that they agree.
///
/// A pause is usual when it recurs: of the last 24 the third longest counts, so that a device which now sends less often is understood
/// after three pauses, and one outage makes no other one usual. Readings that follow another closely are one with it, since many devices
/// wake, send several readings and sleep. Only what was before a value tells how long it holds: an hour that is over has its figures for
/// good, and the span that is looked at changes nothing.
package struct HoldTime: Sendable {
    /// Each value holds for so long, if none follows: as long as silence takes to be told.
    package static let shortest = Duration.seconds(300)
    private static let factor: Int64 = 3
    /// What follows within this time is one with what was before: three times as much is no more than `shortest`.
    private static let atOnce: Int64 = 100_000_000
    private static let remembered = 24
    private static let recurring = 3

    /// Enough messages before a stretch of time to know what was usual when it began, and how far back they are looked for.
    package static let messagesBefore = 250
    package static let before = Duration.seconds(7 * 86_400)

    /// The last pauses, in microseconds, in no order once there are as many as are remembered.
    private var pauses: [Int64] = []
    private var next = 0
    /// The first reading of those that came at once.
    private var last: Timestamp?

    package init() {}

    /// Notes when a value was measured.
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

    /// Notes a pause.
    package mutating func note(pause: Int64) {
        if pauses.count < Self.remembered {
            pauses.append(pause)
        } else {
            pauses[next] = pause
            next = (next + 1) % Self.remembered
        }
    }

    /// How long a value holds where none follows.
    package var longest: Int64 { max(Self.shortest.wholeMicroseconds, usual * Self.factor) }

    /// How long a value holds that another follows after a pause.
    package func held(for pause: Int64) -> Int64 {
        pause <= Self.shortest.wholeMicroseconds ? pause : min(pause, longest)
    }

    /// The longest pause that recurs. Of two the shorter: one alone may be an outage.
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
