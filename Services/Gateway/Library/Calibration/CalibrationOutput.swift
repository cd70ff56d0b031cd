import HTTPTypes
import Instants
import Routes
import WaterQuality

extension CalibrationEntry {
    var tag: EntityTag { EntityTag(version: Int64(version)) }

    func answer(_ status: HTTPResponse.Status) -> Answer<CalibrationEntry> {
        .value(self, status: status, headers: [.eTag: tag.description])
    }

    static let output = Output<CalibrationEntry>.object(
        "Calibration", "An entry of a probe's calibration log.",
        [
            .member("id", .id, "The id that its client gave it.") { $0.id },
            .member("parameter", .choice(Parameter.Name.self), "The parameter.") { Parameter.Name($0.parameter) },
            .member("kind", .choice(Calibration.Kind.self), "What was done.", example: "calibrate") {
                $0.content.kind
            },
            .member("at", .timestamp, "When.") { $0.content.at },
            .member("unit", .choice(Unit.self), "The unit of the points.", example: "pH") { $0.content.unit },
            .member("points", .list(of: point), "The standards, the least first.") { $0.content.points },
            .member(
                "deviation", .optional(of: .decimal),
                "How much too high the probe read as it was found, in the canonical unit, the mean of the standards.",
                example: 0.2
            ) { $0.comparison.found?.deviation.shown },
            .member("temperature", .optional(of: .decimal), "The temperature of the standards in °C.", example: 25) {
                $0.content.temperature
            },
            .member("note", .optional(of: .text), "What else is to be said of it.", example: .null) {
                $0.content.note
            },
            .member("by", .optional(of: CarePerson.output), "Who did it; null: somebody who is gone.") { $0.by },
            .member("version", .integer, "Counts its changes.", example: 1) { Int($0.version) },
        ])

    private static let point = Output<CalibrationPoint>.object(
        "CalibrationPoint", "A standard, and what the probe read in it, in the entry's unit.",
        [
            .member("standard", .decimal, "What is there.", example: 7) { $0.standard },
            .member("before", .optional(of: .decimal), "What the probe read as it was found.", example: 7.2) {
                $0.before
            },
            .member("after", .optional(of: .decimal), "What it read as it was left.", example: 7) { $0.after },
            .member("millivolts", .optional(of: .decimal), "What a pH electrode gave.", example: .null) {
                $0.millivolts
            },
        ])
}

extension HandCheck {
    static let output = Output<HandCheck>.object(
        "HandCheck", "A value by hand that is a check of the probe, since the probe read something within ten minutes.",
        [
            .member("test", .text, "The id of the test.", example: "018f3c5e-7a2b-7c3d-8e4f-5a6b7c8d9e0f") {
                "\($0.test)"
            },
            .member("at", .timestamp, "When the water was tested.") { $0.at },
            .member("value", .decimal, "The value by hand, in the canonical unit like the next two.", example: 7.4) {
                $0.value.value.shownDouble
            },
            .member("reading", .decimal, "What the probe read.", example: 7.9) { $0.reading.shownDouble },
            .member(
                "deviation", .decimal,
                "How much higher the probe read; of a kit's step, than the nearest of what looks like it.",
                example: 0.5
            ) { $0.comparison.found?.deviation.shown ?? 0 },
        ])
}

extension CalibrationState {
    static let output = Output<CalibrationState>.object(
        "CalibrationLog", "The calibration log of a parameter's probe, and what follows of it.",
        standing + [
            .member("items", .list(of: CalibrationEntry.output), "Its entries, newest first.") { $0.entries },
            .member(
                "handChecks", .list(of: HandCheck.output), "Values by hand beside readings of the probe, newest first."
            ) { $0.checks },
        ])

    static let summary = Output<CalibrationState>.object(
        "ProbeStanding", "What follows of the calibration log of a parameter's probe.", standing)

    private static let standing: [OutputMember<CalibrationState>] = [
        .member("parameter", .choice(Parameter.Name.self), "The parameter.") { Parameter.Name($0.parameter) },
        .member("unit", .choice(Unit.self), "The canonical unit, which deviations and drift are in.") {
            $0.parameter.canonicalUnit
        },
        .member(
            "lastCalibratedAt", .optional(of: .timestamp),
            "When it was calibrated last, or replaced; null: nobody wrote that down."
        ) { $0.lastCalibratedAt },
        .member("ageDays", .optional(of: .integer), "How many whole days ago that was.", example: 34) { state in
            state.lastCalibratedAt.map { max(0, Int((state.now - $0).components.seconds / 86_400)) }
        },
        .member(
            "deviation", .optional(of: .decimal),
            "How much too high it read at the last look; of several standards, in the one where it was off the most.",
            example: 0.2
        ) { $0.deviation?.shown },
        .member(
            "grade", .optional(of: .choice(CalibrationGrade.self)),
            "What that means, after USGS TM1-D3, as a convention; null where it says nothing of the parameter.",
            example: "excellent"
        ) { $0.grade },
        .member(
            "drift", .optional(of: drift),
            "How fast it drifts; null with fewer than three checks since the last probe, or within a week."
        ) { $0.drift },
        .member("due", .optional(of: due), "When it is to be calibrated next; null: nothing asks for it.") {
            $0.due
        },
        .member(
            "reminderDays", .optional(of: .integer),
            "After how many days to remind of the next calibration, by the drift.", example: 60
        ) { $0.course.days(of: $0.parameter) },
        .member("electrode", .optional(of: electrode), "How well a pH electrode answers, by its last millivolts.") {
            $0.electrode
        },
    ]

    private static let drift = Output<ProbeDrift>.object(
        "ProbeDrift", "How fast a probe drifts.",
        [
            .member("perMonth", .decimal, "In the canonical unit, in 30 days.", example: 0.1) { $0.perMonth.shown },
            .member(
                "direction", .choice(ProbeDrift.Direction.self),
                "Whether it reads higher and higher; steady: less than half a step in a month.", example: "higher"
            ) { $0.direction },
            .member("checks", .integer, "By how many looks that is known.", example: 3) { $0.checks },
            .member("byHand", .boolean, "Whether values by hand are among them.", example: false) {
                $0.usesHandValues
            },
        ])

    private static let due = Output<CalibrationDue>.object(
        "CalibrationDue", "When a probe is to be calibrated next.",
        [
            .member("at", .timestamp, "When.") { $0.at },
            .member(
                "reason", .choice(CalibrationDue.Reason.self),
                "drift: from then on it reads less than well; reminder: one asks for it; usual: a month after the last."
            ) { $0.reason },
        ])

    private static let electrode = Output<ElectrodeHealth>.object(
        "ElectrodeHealth", "How well a pH electrode answers.",
        [
            .member("slope", .decimal, "The millivolts of one pH, in percent of what theory says.", example: 95.8) {
                ($0.slope * 10).rounded() / 10
            },
            .member("offset", .decimal, "The millivolts at pH 7.", example: -5) { ($0.offset * 10).rounded() / 10 },
            .member("worn", .boolean, "Below 85 %, or beyond 30 mV: it is time for another.", example: false) {
                $0.grade == .worn
            },
            .member(
                "grade", .choice(ElectrodeHealth.Grade.self), "sound; aging: below 90 %; worn: it is time for another.",
                example: "sound"
            ) { $0.grade },
        ])
}
