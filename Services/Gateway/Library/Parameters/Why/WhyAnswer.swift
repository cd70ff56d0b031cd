import Instants
import Routes
import Store
import WaterQuality
import Words

/// An explanation of what came of the readings in a stretch of time.
struct WhyAnswer: Sendable {
    let subject: WatchSubject
    let period: Range<Timestamp>
    var readings = 0
    var isComplete = true
    private(set) var steps: [Step] = []

    struct Step: Sendable {
        let step: ExplainedStep
        let text: String
        let person: PersonalRange
    }

    init(subject: WatchSubject, period: Range<Timestamp>) {
        self.subject = subject
        self.period = period
    }

    /// - Parameter local: Each time in the steps, with the time that the person's clock showed then.
    mutating func tell(
        _ explained: [ExplainedStep], in language: Language, _ local: some Sequence<(Timestamp, Timestamp)>
    ) {
        let local = Dictionary(local) { first, _ in first }
        let (parameter, unit) = (subject.watch.parameter, subject.unit)
        steps = explained.map { step in
            Step(
                step: step, text: step.text(of: parameter, in: unit, language) { (local[$0] ?? $0).civilTime() },
                person: subject.range)
        }
    }

    static let output = Output<WhyAnswer>.object(
        "Explanation", "What came of readings, and why.",
        [
            .member("parameter", .choice(Parameter.Name.self), "The parameter's name.", example: "temperature") {
                Parameter.Name($0.subject.watch.parameter)
            },
            .member("unit", .choice(Unit.self), "The person's unit, which all values are in.", example: "C") {
                $0.subject.range.scale.unit
            },
            .member(
                "from", .timestamp,
                "The beginning of what is told: later than asked for where that was not theirs yet, or is not kept any longer."
            ) {
                $0.period.lowerBound
            },
            .member("until", .timestamp, "The end.") { $0.period.upperBound },
            .member("readings", .integer, "How many readings are stored of that time.", example: 120) { $0.readings },
            .member(
                "complete", .boolean, "Whether nothing is left out at the beginning, because there was too much.",
                example: true
            ) { $0.isComplete },
            .member(
                "steps", .list(of: step),
                "Oldest first; empty where the device was not the person's, or nothing is kept any longer."
            ) { $0.steps },
        ])

    private static let step = Output<Step>.object(
        "ExplainedStep", "What happened at a time, or of readings that meant the same.",
        [
            .member("time", .timestamp, "When the first reading was taken, or when it happened.") { $0.step.time },
            .member("until", .optional(of: .timestamp), "When the last reading was taken; null: there is none.") {
                $0.step.values?.until
            },
            .member("readings", .integer, "How many readings it is about.", example: 12) { $0.step.values?.count ?? 0 },
            .member("least", .optional(of: .decimal), "The least of their values.", example: 24.2) {
                told in told.step.values.flatMap { told.person.told($0.least) }
            },
            .member("greatest", .optional(of: .decimal), "The greatest.", example: 24.9) {
                told in told.step.values.flatMap { told.person.told($0.greatest) }
            },
            .member("what", .choice(ExplainedStep.What.self), what, example: "ongoing") { $0.step.what },
            .member("side", .optional(of: .choice(Side.self)), "Which limit it is about, if any.") { $0.step.side },
            .member("notification", .choice(ExplainedStep.Notification.self), notification, example: "throttled") {
                $0.step.notification
            },
            .member(
                "holdsUntil", .optional(of: .timestamp),
                "Until when nothing came (gap), or the reason holds: the next alert may come then (throttled), it has lasted as "
                    + "long as the person waits (delayed), the snooze ends (snoozed)."
            ) { $0.step.holdsUntil },
            .member(
                "alert", .optional(of: .text), "The id of the alert that was made.",
                example: .string(Alert.exampleID)
            ) { $0.step.alert?.name },
            .member("alertState", .optional(of: .choice(Alert.State.self)), "How far it got.") { $0.step.alert?.state },
            .member(
                "text", .text, "All of this in the person's language.",
                example: .string(
                    "24.2 °C to 24.9 °C, still above your maximum of 24.0 °C (12 readings until 14:35). No alert: you had "
                        + "been told shortly before. The next may come from 14:38.")
            ) { $0.text },
        ])

    private static let what =
        "limits: those that hold from here; gap: nothing came; inRange; opened: out of range for the first time; flipped: out of "
        + "range on the other side; ongoing: still out of range; settling: in range, but not yet by the dead band; recovered; "
        + "superseded: it came late, after newer ones; history: it is kept, and nothing is decided on it; unlimited: no limit was "
        + "set, or the person had not joined yet; undecided: no decision is stored; silent: nothing was heard; heard: it was again; broken: the probe reported an "
        + "error; works: it gave a value again; flat: the value had stayed the same for too long; moved: it changed again; "
        + "changing: it changed faster than the person wants; steady: it no longer did; heading: it was on the way to a limit; "
        + "turned: it was not expected to reach it soon any more; byHandOut: somebody measured by hand that it was outside; byHandOver: "
        + "by hand it was so no more, or that was a day ago; allClear: the person was told that it was over; called: nobody had answered, and the next of their chain was called; "
        + "unlinked: the device was given up"

    private static let notification =
        "What became of the wish to notify: none: there was nothing to tell; alerted; reminded; critical: alerted at once; unstable: "
        + "alerted once of water that keeps leaving its limits; stale: the reading was too old; held: it may have been a glitch of "
        + "the probe, and the next reading was to tell; noRecipient: no endpoint was in use; throttled: the last alert was too recent; delayed: it had "
        + "not been out of range for as long as the person waits; acknowledged; answered: somebody was on it; snoozed; toldUnstable: "
        + "the person knew that it is unstable; outOfRange: of a fast change, or of what is told ahead, the person knew that the value is out of range; "
        + "quietHours: held back for the night; tooMany: held back, as the person was told much within an hour; offShift: somebody else was on shift; unknown: nothing is stored of it"
}
