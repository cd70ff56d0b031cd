import Instants
import Postgres
import Store
import WaterQuality

/// The state of a parameter's probe: its log, the values by hand beside it, drift and the next calibration.
struct CalibrationState: Sendable {
    let parameter: Parameter
    /// Newest first.
    let entries: [CalibrationEntry]
    /// Newest first.
    let checks: [HandCheck]
    let course: CalibrationCourse
    let drift: ProbeDrift?
    let due: CalibrationDue?
    let now: Timestamp

    init(
        of parameter: Parameter, _ entries: [CalibrationEntry], _ checks: [HandCheck], reminder: Timestamp?,
        now: Timestamp
    ) {
        self.parameter = parameter
        self.entries = entries
        self.checks = checks
        self.now = now
        course = CalibrationCourse(
            entries.reversed().map(\.comparison) + checks.reversed().map(\.comparison),
            by: CalibrationCriteria.of(parameter))
        drift = course.drift(of: parameter)
        due = course.due(of: parameter, reminder: reminder)
    }

    var lastCalibratedAt: Timestamp? { course.lastCalibration?.at }

    /// The response of the probe at the last look.
    var found: ProbeResponse? { course.lastCheck?.found }

    /// The error at the last look; of several standards the greatest.
    var deviation: Double? { found?.points.map(\.deviation).max { abs($0) < abs($1) } }

    var grade: CalibrationGrade? {
        found.flatMap { found in CalibrationCriteria.of(parameter).flatMap { $0.grade(found) } }
    }

    /// The health of the present electrode by its last millivolts.
    var electrode: ElectrodeHealth? {
        let replaced = entries.firstIndex { $0.content.kind == .replace }
        return (replaced.map { entries[...$0] } ?? entries[...]).lazy.compactMap(\.content.electrode).first
    }

    /// The most entries and values by hand that are read of a probe.
    static let most = (entries: 500, checks: 50)
}

extension PostgresTransaction {
    /// The state of the probes of some parameters of a device, in the order given.
    func calibrationStates(of parameters: [Parameter], on device: DeviceKey) throws -> [CalibrationState] {
        let now = try execute(ReadClock())[0]
        let reminder = try execute(ReadNextDue(of: .calibrate, on: device)).first ?? nil
        return try parameters.map { parameter in
            CalibrationState(
                of: parameter,
                try execute(ListCalibrations(of: parameter, on: device, limit: CalibrationState.most.entries))
                    .compactMap(\.self),
                try execute(ListHandChecks(of: parameter, on: device, limit: CalibrationState.most.checks))
                    .compactMap(\.self),
                reminder: reminder, now: now)
        }
    }

    /// The course by which a parameter's readings are corrected; values by hand correct nothing.
    func calibrationCourse(of parameter: Parameter, on device: DeviceKey) throws -> CalibrationCourse {
        CalibrationCourse(
            try execute(ListCalibrations(of: parameter, on: device, limit: CalibrationState.most.entries))
                .reversed().compactMap { $0?.comparison }, by: CalibrationCriteria.of(parameter))
    }

    /// The parameters that have a log, in their order.
    func calibratedParameters(on device: DeviceKey) throws -> [Parameter] {
        try execute(FindCalibratedParameters(on: device)).compactMap(\.self).sorted { $0.rawValue < $1.rawValue }
    }

    /// The courses of all parameters that have a log.
    func calibrationCourses(on device: DeviceKey) throws -> [Parameter: CalibrationCourse] {
        var courses: [Parameter: CalibrationCourse] = [:]
        for parameter in try calibratedParameters(on: device) {
            courses[parameter] = try calibrationCourse(of: parameter, on: device)
        }
        return courses
    }
}
