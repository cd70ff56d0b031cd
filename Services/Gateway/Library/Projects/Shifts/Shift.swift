import HTTPTypes
import Instants
import Routes
import Store
import WaterQuality

/// A shift of a project.
struct ShiftID: RowUUID {
    let rawValue: UInt128
}

/// A stretch of some days of the week, and who stands in it, by the clock of the project's time zone.
struct Shift: Hashable, Sendable {
    /// `nil`: it is yet to be added.
    var id: ShiftID?
    var name: String
    /// The days on which it begins.
    var days: Set<Weekday>
    /// Minutes since midnight; it ends on the next day unless that is later.
    var from: Int
    var until: Int
    /// Numbers by which members know each other.
    var members: Set<Int64>

    /// The most shifts of a project.
    static let most = 30
}

/// Somebody's turn that another takes.
struct ShiftCover: Sendable {
    let shift: ShiftID
    /// The day on which the turn begins.
    let day: String
    /// The member whose turn it is.
    let from: Int64
    let member: Int64
}

/// Members who are on shift from one time to another.
struct ShiftTurn: Sendable {
    let shift: ShiftID
    let day: String
    let since: Timestamp
    let until: Timestamp
    let members: [Int64]
}

/// The shifts of a project, and what follows from them within a week.
struct Rota: Sendable {
    var standing: ReadRota.Row
    var shifts: [Shift]
    var covers: [ShiftCover]
    var turns: [ShiftTurn]

    var tag: EntityTag { EntityTag(version: Int64(standing.version)) }
    var answer: Answer<Rota> { .value(self, headers: [.eTag: tag.description]) }
}

extension Rota {
    static let output = Output<Rota>.object(
        "Rota", "The shifts of a project, and who is on within a week.",
        [
            .member(
                "timeZone", .text, "The time zone of its times: that of the project.", example: "Europe/Vienna"
            ) { $0.standing.timeZone },
            .member("shifts", .list(of: shift), "In their order.") { $0.shifts },
            .member("covers", .list(of: cover), "Turns that somebody else takes, from yesterday on.") { $0.covers },
            .member("turns", .list(of: turn), "Who is on shift, from now on for a week.") { $0.turns },
            .member("gaps", .list(of: gap), "When nobody is on shift within a week, and all are told.") { rota in
                Array(zip(rota.standing.gapsSince, rota.standing.gapsUntil))
            },
            .member(
                "isReached", .boolean,
                "Whether somebody is on shift now whom something reaches, so that nobody else who stands in shifts is told.",
                example: true
            ) { $0.standing.isReached },
            .member("always", .boolean, "Whether the person who asks is told at all times.", example: false) {
                $0.standing.isAlwaysTold
            },
            .member("version", .integer, "Counts the changes of the shifts.", example: 3) { Int($0.standing.version) },
        ])

    private static let shift = Output<Shift>.object(
        "Shift", "A stretch of some days of the week.",
        [
            .member("id", .optional(of: .id), "Its id.") { $0.id },
            .member("name", .text, "What it is called.", example: "Night") { $0.name },
            .member("days", .list(of: .choice(Weekday.self)), "The days on which it begins.") { $0.days.inOrder },
            .member("from", .text, "When it begins.", example: "22:00") { TimeOfDay.text(of: $0.from) },
            .member("until", .text, "When it ends: on the next day unless that is later.", example: "06:00") {
                TimeOfDay.text(of: $0.until)
            },
            .member("members", .list(of: .text), "Who stands in it, by their ids among the members.") {
                $0.members.sorted().map(String.init)
            },
        ])

    private static let cover = Output<ShiftCover>.object(
        "ShiftCover", "A turn that somebody else takes.",
        [
            .member("shift", .id, "The shift.") { $0.shift },
            .member("day", .text, "The day on which it begins.", example: "2027-03-05") { $0.day },
            .member("from", .text, "The member whose turn it is.", example: "7") { "\($0.from)" },
            .member("member", .text, "The member who takes it.", example: "9") { "\($0.member)" },
        ])

    private static let turn = Output<ShiftTurn>.object(
        "ShiftTurn", "Who is on shift from one time to another.",
        [
            .member("shift", .id, "The shift.") { $0.shift },
            .member("day", .text, "The day on which it begins.", example: "2027-03-05") { $0.day },
            .member("since", .timestamp, "When it begins.") { $0.since },
            .member("until", .timestamp, "When it ends.") { $0.until },
            .member("members", .list(of: .text), "Who is on, by their ids among the members.") {
                $0.members.map(String.init)
            },
        ])

    private static let gap = Output<(Timestamp, Timestamp)>.object(
        "ShiftGap", "A stretch in which nobody is on shift.",
        [
            .member("since", .timestamp, "When it begins.") { $0.0 },
            .member("until", .timestamp, "When it ends, or the week does.") { $0.1 },
        ])
}
