package import Instants

/// A message to a person, before `message(in:)` words it.
package enum Notice: Hashable, Sendable {
    case alarm(Trouble)
    /// The value keeps leaving its range and returning; told once, in place of its alarms.
    case unstable(Trouble)
    /// The trouble goes on; `worst` is its worst value so far.
    case reminder(Trouble, worst: Float)
    /// The trouble is over, or the limits have changed; `at` is the local time of the reading that ended it.
    case recovery(Trouble, at: CivilTime)
    /// Nothing has been heard of a device, or of one of its parameters.
    case silence(Quiet)
    /// Still nothing has been heard.
    case stillSilent(Quiet)
    /// The device or parameter is heard again; `at` is the local time of a reading.
    case heardAgain(Quiet, at: CivilTime)
    /// A probe reports that it is broken, or its value is a flat line.
    case fault(Broken)
    /// The probe is still broken, or the line still flat.
    case stillBroken(Broken)
    /// The probe gives values again, or different ones; `at` is the local time of one.
    case worksAgain(Broken, at: CivilTime)
    /// A value changes faster than the person wants.
    case changing(Course)
    /// The value has changed too fast again since the last alert.
    case stillChanging(Course)
    /// The value changes more slowly; `at` is the local time of a reading.
    case steady(Course, at: CivilTime)
    /// The value will reach a limit if it goes on as it has lately.
    case heading(Way)
    /// The value no longer heads for the limit; `at` is the local time of a reading.
    case turned(Way, at: CivilTime)
    /// The person may no longer watch the device, in the middle of an alarm.
    case ended(Parting)
    /// A test that the person asked for.
    case test

    package func message(in language: Language) -> Message {
        let phrasebook = language.phrasebook
        return switch self {
        case .alarm(let trouble): phrasebook.alarm(trouble)
        case .unstable(let trouble): phrasebook.unstable(trouble)
        case .reminder(let trouble, let worst): phrasebook.reminder(trouble, worst: worst)
        case .recovery(let trouble, let time): phrasebook.recovery(trouble, at: time)
        case .silence(let quiet): phrasebook.silence(quiet, isReminder: false)
        case .stillSilent(let quiet): phrasebook.silence(quiet, isReminder: true)
        case .heardAgain(let quiet, let time): phrasebook.heardAgain(quiet, at: time)
        case .fault(let broken): phrasebook.fault(broken, isReminder: false)
        case .stillBroken(let broken): phrasebook.fault(broken, isReminder: true)
        case .worksAgain(let broken, let time): phrasebook.worksAgain(broken, at: time)
        case .changing(let course): phrasebook.changing(course, isReminder: false)
        case .stillChanging(let course): phrasebook.changing(course, isReminder: true)
        case .steady(let course, let time): phrasebook.steady(course, at: time)
        case .heading(let way): phrasebook.heading(way)
        case .turned(let way, let time): phrasebook.turned(way, at: time)
        case .ended(let parting): phrasebook.ended(parting)
        case .test: phrasebook.test
        }
    }

    /// A title and a body, the form that every push channel has.
    package struct Message: Hashable, Sendable {
        package let title: String
        package let body: String
    }

    /// A value out of range. Values are canonical and are shown in `unit`.
    package struct Trouble: Hashable, Sendable {
        package var deviceName: String
        package var parameter: Parameter
        package var side: Side
        /// The latest value; in a recovery, the value that is back in range.
        package var value: Float
        /// The crossed limit.
        package var limit: Float
        /// The recipient's unit; the canonical one if that does not fit.
        package var unit: Unit
        /// The beginning and the present, both in the person's zone. The day is named only if it differs.
        package var since: CivilTime
        package var now: CivilTime
        /// Whether the message advises to check the probe.
        package var checkProbe: Bool
        /// Whether `limit` is the critical one.
        package var isCritical: Bool

        /// Whether the value is beyond the limit. If not, in a recovery, the limits have changed and the value is
        /// within them now.
        var isBeyond: Bool {
            let (value, limit) = (parameter.steps(of: value), parameter.steps(of: limit))
            return side == .high ? value > limit : value < limit
        }

        package init(
            deviceName: String, parameter: Parameter, side: Side, value: Float, limit: Float, unit: Unit,
            since: CivilTime, now: CivilTime, checkProbe: Bool = false, isCritical: Bool = false
        ) {
            self.deviceName = deviceName
            self.parameter = parameter
            self.side = side
            self.value = value
            self.limit = limit
            self.unit = unit
            self.since = since
            self.now = now
            self.checkProbe = checkProbe
            self.isCritical = isCritical
        }
    }

    /// A device that its owner no longer shares.
    package struct Parting: Hashable, Sendable {
        package var deviceName: String
        /// The time of that, in the person's zone.
        package var at: CivilTime

        package init(deviceName: String, at time: CivilTime) {
            self.deviceName = deviceName
            at = time
        }
    }

    /// A device that sends nothing, or lacks a parameter.
    package struct Quiet: Hashable, Sendable {
        package var deviceName: String
        /// The parameter; `nil` for the whole device.
        package var parameter: Parameter?
        /// The last reading before the silence, and the present, both in the person's zone.
        package var since: CivilTime
        package var now: CivilTime
        package var cause: SilenceCause

        package init(
            deviceName: String, parameter: Parameter? = nil, since: CivilTime, now: CivilTime, cause: SilenceCause
        ) {
            self.deviceName = deviceName
            self.parameter = parameter
            self.since = since
            self.now = now
            self.cause = cause
        }
    }

    /// A value that changes fast.
    package struct Course: Hashable, Sendable {
        package var deviceName: String
        package var parameter: Parameter
        /// The change; `nil` once it is over.
        package var change: RateFacts.Change?
        /// The recipient's unit; the canonical one if that does not fit.
        package var unit: Unit?
        /// The beginning and the present, both in the person's zone.
        package var since: CivilTime
        package var now: CivilTime

        package init(
            deviceName: String, parameter: Parameter, change: RateFacts.Change?, unit: Unit?, since: CivilTime,
            now: CivilTime
        ) {
            self.deviceName = deviceName
            self.parameter = parameter
            self.change = change
            self.unit = unit
            self.since = since
            self.now = now
        }

        var rises: Bool { (change?.by ?? 0) > 0 }

        /// The change in a phrasebook's form; `nil` once it is over.
        func told(_ language: Language) -> (by: String, minutes: Int64, to: String, limit: String)? {
            guard let change else { return nil }
            let told = ToldChange(
                parameter, in: unit, change: change.by, limit: change.limit, value: change.value)
            let minutes = max(1, (change.within.components.seconds + 30) / 60)
            return (
                told.text(change.by, language), minutes, told.value(change.value, language),
                told.text(change.limit, language)
            )
        }
    }

    /// A value that heads, or headed, for a limit.
    package struct Way: Hashable, Sendable {
        package var deviceName: String
        package var parameter: Parameter
        /// The outlook; `nil` once it is over.
        package var outlook: AheadFacts.Outlook?
        /// The recipient's unit; the canonical one if that does not fit.
        package var unit: Unit?
        /// The beginning and the present, both in the person's zone.
        package var since: CivilTime
        package var now: CivilTime

        package init(
            deviceName: String, parameter: Parameter, outlook: AheadFacts.Outlook?, unit: Unit?, since: CivilTime,
            now: CivilTime
        ) {
            self.deviceName = deviceName
            self.parameter = parameter
            self.outlook = outlook
            self.unit = unit
            self.since = since
            self.now = now
        }

        var rises: Bool { outlook?.side == .high }

        /// The outlook in a phrasebook's form; `nil` once it is over.
        func told(_ language: Language) -> (value: String, limit: String, at: CivilTime)? {
            guard let outlook else { return nil }
            let told = ToldValues(parameter, in: unit, value: outlook.value, limit: outlook.limit)
            return (
                told.text(outlook.value, language), told.text(outlook.limit, language),
                outlook.expectedLocally.civilTime()
            )
        }
    }

    /// A probe that reports that it is broken, or whose value is a flat line.
    package struct Broken: Hashable, Sendable {
        package var deviceName: String
        package var parameter: Parameter
        /// The value of a flat line; `nil` if the probe itself reports that it is broken.
        package var flatAt: Float?
        /// The recipient's unit; the canonical one if that does not fit.
        package var unit: Unit?
        /// The time of the first report, and the present, both in the person's zone.
        package var since: CivilTime
        package var now: CivilTime

        package init(
            deviceName: String, parameter: Parameter, flatAt: Float? = nil, unit: Unit? = nil, since: CivilTime,
            now: CivilTime
        ) {
            self.deviceName = deviceName
            self.parameter = parameter
            self.flatAt = flatAt
            self.unit = unit
            self.since = since
            self.now = now
        }

        /// The value of a flat line in a phrasebook's form.
        func flatAt(_ language: Language) -> String? {
            flatAt.map { ToldValues(parameter, in: unit, value: $0, limit: nil).text($0, language) }
        }
    }
}
