import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// The inputs of the routes of samples.
enum FieldSampleInputs {
    static let sample = Input<FieldSampleID>.path("sample", .id, "The sample's id: a UUID that its client chose.")
    static let version = Input<Int?>.optionalQuery(
        "version", FieldSampleFormat.version, "A former version; the present one unless given.")

    // MARK: Content

    static let device = Input.field("device", .hardwareID, "The device or place; it stays.")
    static let protocolID = Input.field(
        "protocol", FieldSampleFormat.protocolID, "A protocol that is built in, or of the device's owner.")
    static let protocolVersion = Input.field("protocolVersion", FieldSampleFormat.version, "Its version.")
    static let begunAt = Input.field("begunAt", .timestamp, "When it was begun, by the sender's clock.")
    static let endedAt = Input.optionalField("endedAt", .timestamp, "When it was ended; null: it goes on.")
    static let zone = Input.field("zone", FieldSampleFormat.zone, default: "UTC", "The time zone at the place.")
    static let utcOffset = Input.field(
        "utcOffset", FieldSampleFormat.utcOffset, default: 0, "Minutes by which local time was ahead of UTC.")
    static let state = Input.field(
        "state", .choice(Sent.self), "begun: it will be taken up again, and its values count for nothing yet.")
    static let sentAt = Input.optionalField(
        "sentAt", .timestamp, "The sender's clock while it sends, which the first receipt is compared with.")
    static let surveyors = Input.field(
        "surveyors", FieldSampleFormat.surveyors, default: [], "Who took it, as they write it.")
    static let weather = Input.optionalField("weather", .fieldWeather, "The weather, as far as it is said.")
    static let habitat = Input.optionalField("habitat", FieldSampleFormat.words, "What the place is like.")
    static let comment = Input.optionalField("comment", FieldSampleFormat.words, "What else is to be said.")
    static let place = Input.optionalField("position", .fieldPlace, "Where it was taken; null: at the device or place.")
    static let values = Input.field(
        "values", FieldSampleFormat.values, default: [],
        """
        What was found: a field of the protocol, its station or depth where it is asked at those, and one of number, below, above, choice, \
        count, text, flag and notMeasured. below and above, the ends of what a method can tell, are zero or more.
        """)
    static let track = Input.field(
        "track", .fieldTrack, default: FieldTrack(),
        "Where somebody walked: segments of points in the order of time, each with the seconds since begunAt, latitude, longitude, and the accuracy in metres or null."
    )

    static let content: [any InputDeclaration] = [
        device, protocolID, protocolVersion, begunAt, endedAt, zone, utcOffset, state, sentAt, surveyors, weather,
        habitat, comment, place, values, track,
    ]

    /// The states that are sent.
    enum Sent: String, CaseIterable, Sendable {
        case begun, done
    }

    /// The most bytes of a request, of which a track takes most.
    static let largestBody = 256 * 1024
    /// The most bytes of the rest as it is stored.
    static let largestContent = 64 * 1024

    /// The sample of a request, with its track thinned.
    /// - Parameter now: The database's clock.
    /// - Throws: `Problem` for times that cannot be.
    static func read(_ inputs: Inputs, now: Timestamp) throws(Problem) -> FieldSample {
        let (begun, ended) = (inputs[begunAt], inputs[endedAt])
        guard begun >= earliest, begun <= now + .seconds(3_653 * 86_400) else { throw Problem(begunAt, .notSampleTime) }
        if let ended, ended < begun || ended > begun + .seconds(366 * 86_400) {
            throw Problem(endedAt, .notSampleTime)
        }
        return FieldSample(
            protocolID: inputs[protocolID], protocolVersion: inputs[protocolVersion], begunAt: begun, endedAt: ended,
            zone: inputs[zone], utcOffset: inputs[utcOffset], state: inputs[state] == .begun ? .begun : .done,
            surveyors: inputs[surveyors], weather: inputs[weather], habitat: inputs[habitat], comment: inputs[comment],
            place: inputs[place], values: inputs[values], track: inputs[track].thinned)
    }

    /// 1990-01-01T00:00:00Z
    private static let earliest = Timestamp(unixSeconds: Int64(631_152_000))

    /// Checks the values by their protocol.
    /// - Throws: `Problem` at the first value that cannot be; for a finished sample also where a required field is missing.
    static func check(_ sample: FieldSample, by sampling: FieldProtocol) throws(Problem) {
        if let (index, fault) = sampling.fault(of: sample.values) {
            throw Problem(values, fault.shown(in: sample.values[index]).inside("\(index)"))
        }
        guard sample.state == .done, let missing = sampling.missing(in: sample.values).first else { return }
        throw Problem(values, Fault.missing.inside(missing))
    }
}

extension SampleFault {
    /// The fault at the member of the value in which it is.
    fileprivate func shown(in value: FieldValue) -> Fault {
        let part = value.content.part.rawValue
        return switch self {
        case .noField: Fault("not-a-field").inside("field")
        case .repeated: .repeated
        case .otherKind(let part): Fault("not-of-the-field").inside(part.rawValue)
        case .station: Fault("not-a-station").inside("station")
        case .manyStations(let most): Fault.tooMany(maximum: most).inside("station")
        case .depth: Fault("not-a-depth").inside("depth")
        case .noChoice(let choices): Fault.notChoice(choices).inside(part)
        case .below(let minimum): Fault.tooSmall(minimum: .number(minimum)).inside(part)
        case .above(let maximum): Fault.tooLarge(maximum: .number(maximum)).inside(part)
        }
    }
}

extension Fault {
    fileprivate static let notSampleTime = Fault("not-a-time-of-a-sample")
    static let notProtocol = Fault("not-a-protocol")
    static let otherDevice = Fault("other-device")
}

/// The place of a sample in the list, as clients carry it.
struct FieldSampleCursor: CursorKey {
    let place: PageFieldSamples.Place

    init(_ place: PageFieldSamples.Place) { self.place = place }

    var cursorParts: [JSON] { [.integer(place.at.microseconds), .string("\(place.id)")] }

    init?(cursorParts parts: [JSON]) {
        guard parts.count == 2, case .integer(let time) = parts[0], case .string(let text) = parts[1],
            Timestamp.sayable.contains(time), let id = FieldSampleID(text)
        else { return nil }
        place = PageFieldSamples.Place(at: Timestamp(microseconds: time), id: id)
    }
}
