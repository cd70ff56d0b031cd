import HTTPTypes
import Instants
import Routes
import Store
import WaterQuality

extension Output where Value == FieldValue {
    static let fieldValue = object(
        "FieldValue",
        "A value of a sample: one of the members from number on says what was found, and the others are null.",
        [
            .member("field", .text, "The field of the protocol.", example: "temperature") { $0.field },
            .member("station", .optional(of: .text), "The station of a route.", example: .null) { $0.station },
            .member("depth", .optional(of: .decimal), "Metres below the surface.", example: .null) { $0.depth },
            .member("number", .optional(of: .decimal), "A number, in the field's unit.", example: 12.5) {
                $0.content.number
            },
            .member(
                "below", .optional(of: .decimal), "Less than this, which the method cannot tell.", example: .null
            ) {
                if case .below(let number) = $0.content { number } else { nil }
            },
            .member("above", .optional(of: .decimal), "More than this, likewise.", example: .null) {
                if case .above(let number) = $0.content { number } else { nil }
            },
            .member("choice", .optional(of: .text), "The id of a choice or of a class.", example: .null) {
                if case .choice(let id) = $0.content { id } else { nil }
            },
            .member("count", .optional(of: .list(of: .counted)), "How many of each were found.", example: .null) {
                if case .count(let found) = $0.content { found } else { nil }
            },
            .member("text", .optional(of: .text), "Words.", example: .null) {
                if case .text(let text) = $0.content { text } else { nil }
            },
            .member("flag", .optional(of: .boolean), "Yes or no.", example: .null) {
                if case .flag(let flag) = $0.content { flag } else { nil }
            },
            .member(
                "notMeasured", .optional(of: .text), "Why it was asked and not measured.", example: .null
            ) {
                if case .notMeasured(let reason) = $0.content { reason } else { nil }
            },
        ])
}

extension Output where Value == FieldValue.Counted {
    fileprivate static let counted = object(
        "FieldCount", "How many of a kind or a group were found.",
        [
            .member("species", .text, "Its id in the protocol.", example: "mayflies") { $0.id },
            .member("count", .integer, "How many.", example: 12) { $0.count },
        ])
}

extension Output where Value == FieldWeather {
    fileprivate static let fieldWeather = object(
        "FieldWeather", "The weather as people saw it.",
        [
            .member("now", .optional(of: .choice(FieldWeather.Sky.self)), "The sky.") { $0.now },
            .member("before", .optional(of: .choice(FieldWeather.Sky.self)), "In the 24 hours before.") { $0.before },
            .member("airTemperature", .optional(of: .decimal), "In °C.", example: 18) { $0.airTemperature },
            .member("wind", .optional(of: .integer), "On Beaufort's scale.", example: 2) { $0.wind },
            .member("cloud", .optional(of: .integer), "Cover in percent.", example: 60) { $0.cloud },
            .member("rain", .optional(of: .decimal), "Millimetres in the 24 hours before.", example: 3) { $0.rain },
        ])
}

extension Output where Value == FieldPlace {
    fileprivate static let fieldPlace = object(
        "FieldPlace", "Where it was taken, by WGS 84.",
        [
            .member("latitude", .decimal, "In degrees.", example: 52.5) { $0.latitude },
            .member("longitude", .decimal, "In degrees.", example: 13.4) { $0.longitude },
            .member("accuracy", .optional(of: .decimal), "In metres; null: not known.", example: 5) { $0.accuracy },
            .member("altitude", .optional(of: .decimal), "In metres, as the device said.", example: 34) { $0.altitude },
            .member("source", .choice(FieldPlace.Source.self), "Who says so.") { $0.source },
        ])
}

/// The members of what people write of a sample, but its track.
private func contentMembers<Whole>(_ sample: @escaping @Sendable (Whole) -> FieldSample) -> [OutputMember<Whole>] {
    [
        .member("protocol", .text, "The protocol.", example: "river-quick") { sample($0).protocolID },
        .member("protocolVersion", .integer, "Its version.", example: 1) { sample($0).protocolVersion },
        .member("begunAt", .timestamp, "When it was begun, by the sender's clock.") { sample($0).begunAt },
        .member("endedAt", .optional(of: .timestamp), "When it was ended; null: it goes on.") { sample($0).endedAt },
        .member("zone", .text, "The time zone at the place.", example: "Europe/Berlin") { sample($0).zone },
        .member("utcOffset", .integer, "Minutes by which local time was ahead of UTC.", example: 120) {
            sample($0).utcOffset
        },
        .member("surveyors", .list(of: .text), "Who took it, as they wrote it.") { sample($0).surveyors },
        .member("weather", .optional(of: .fieldWeather), "The weather; null: not said.") { sample($0).weather },
        .member("habitat", .optional(of: .text), "What the place is like.", example: "Alders on both banks.") {
            sample($0).habitat
        },
        .member("comment", .optional(of: .text), "What else is to be said.", example: .null) { sample($0).comment },
        .member("position", .optional(of: .fieldPlace), "Where it was taken; null: at the device or place.") {
            sample($0).place
        },
        .member("values", .list(of: .fieldValue), "What was found.") { sample($0).values },
    ]
}

private func trackMember<Whole>(_ sample: @escaping @Sendable (Whole) -> FieldSample) -> OutputMember<Whole> {
    .member(
        "track", Output<JSON>(schema: Format<FieldTrack>.fieldTrack.schema) { $1.append($0) },
        "Where somebody walked, thinned: segments of points, each with the seconds since begunAt, latitude, longitude, and the accuracy in metres or null."
    ) { sample($0).track.json }
}

extension Output where Value == FieldSample {
    /// The content of a sample as people write it, with its track, for whoever receives it.
    static let fieldContent = object(
        "FieldSampleContent", "What was found in the field, as it was written.",
        contentMembers { $0 } + [trackMember { $0 }])
}

extension FieldSample {
    /// The JSON that is stored: everything but the state and the track.
    var storedJSON: String {
        var text = JSONText()
        Self.stored.write(self, &text)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    private static let stored = Output<FieldSample>.object(
        "StoredFieldSample", "A sample as it is stored.", contentMembers { $0 })
}

extension Format where Value == FieldSample {
    /// A sample as it is stored, without its state and track.
    static let storedSample = object(
        [
            protocolID, version, begunAt, endedAt, zone, utcOffset, surveyors, weather, habitat, comment, place, values,
        ], example: [:], or: .notPartOfSample
    ) { members throws(Fault) in
        guard let protocolID = try members[protocolID], let version = try members[version],
            let begunAt = try members[begunAt]
        else { return nil }
        return FieldSample(
            protocolID: protocolID, protocolVersion: version, begunAt: begunAt, endedAt: try members[endedAt] ?? nil,
            zone: try members[zone] ?? "UTC", utcOffset: try members[utcOffset] ?? 0,
            surveyors: try members[surveyors] ?? [], weather: try members[weather] ?? nil,
            habitat: try members[habitat] ?? nil, comment: try members[comment] ?? nil,
            place: try members[place] ?? nil, values: try members[values] ?? [])
    }

    private static let protocolID = ObjectMember("protocol", FieldSampleFormat.protocolID)
    private static let version = ObjectMember("protocolVersion", FieldSampleFormat.version)
    private static let begunAt = ObjectMember("begunAt", Format<Timestamp>.timestamp)
    private static let endedAt = ObjectMember("endedAt", Format<Timestamp>.timestamp.nullable)
    private static let zone = ObjectMember("zone", FieldSampleFormat.zone)
    private static let utcOffset = ObjectMember("utcOffset", FieldSampleFormat.utcOffset)
    private static let surveyors = ObjectMember("surveyors", FieldSampleFormat.surveyors)
    private static let weather = ObjectMember("weather", Format<FieldWeather>.fieldWeather.nullable)
    private static let habitat = ObjectMember("habitat", FieldSampleFormat.words.nullable)
    private static let comment = ObjectMember("comment", FieldSampleFormat.words.nullable)
    private static let place = ObjectMember("position", Format<FieldPlace>.fieldPlace.nullable)
    private static let values = ObjectMember("values", FieldSampleFormat.values)
}

extension JournalItem {
    static let samplePhoto = Output<Photo>.object(
        "FieldPhoto", "A photo of a sample.",
        photoMembers + [
            .member("takenAt", .optional(of: .timestamp), "When it was taken; null: not said.") { $0.takenAt }
        ])
}

extension Output where Value == StoredFieldSample.Review {
    static let fieldReview = object(
        "FieldReview", "What the owner, or a project's administrators, hold of this version.",
        [
            .member("review", .choice(StoredFieldSample.Verdict.self), "The verdict.") { $0.verdict },
            .member("note", .optional(of: .text), "Why.", example: .null) { $0.note },
            .member("at", .timestamp, "When.") { $0.at },
        ])
}

extension Output where Value == StoredFieldSample {
    static let fieldSample = object(
        "FieldSample", "What was found in the field at one place and time, by a protocol.",
        identityMembers + contentMembers { $0.sample } + receiptMembers)
}

private let identityMembers: [OutputMember<StoredFieldSample>] = [
    .member("id", .id, "The id that its client gave it.") { $0.id },
    .member("device", .text, "The device or place.", example: "pond-1") { $0.hardwareID },
    .member("version", .integer, "Its version, as in the ETag.", example: 1) { Int($0.version) },
    .member(
        "state", .choice(FieldSample.State.self),
        "begun: to be taken up again. withdrawn: not to be used, and without its values."
    ) { $0.sample.state },
]

/// What the service knows of a sample beside what people write.
private let receiptMembers: [OutputMember<StoredFieldSample>] = [
    trackMember { $0.sample },
    .member("means", .list(of: .fieldValue), "The fields that are worked out of others.") { $0.means },
    .member(
        "isFlagged", .boolean,
        "Whether it was begun, by the sender's clock, more than five minutes after it came."
    ) { $0.isFlagged },
    .member(
        "clockOffset", .optional(of: .decimal),
        "Seconds that the sender's clock was ahead when it came first; null: not said.", example: 0.4
    ) { $0.clockOffset?.shownDouble },
    .member("author", .optional(of: CarePerson.output), "Who sent it; null: somebody who is gone.") {
        $0.author
    },
    .member("receivedAt", .timestamp, "When it came first.") { $0.receivedAt },
    .member("changedAt", .timestamp, "When it, or what is held of it, was changed last.") { $0.changedAt },
    .member("review", .optional(of: .fieldReview), "What is held of this version; null: nobody has said.") {
        $0.review
    },
    .member("photos", .list(of: JournalItem.samplePhoto), "Its photos, in the order in which they came.") {
        $0.photos
    },
    .member(
        "receivers", .list(of: .text),
        "Who has it beside whoever asks: the owner of the device or place, and the projects that received it."
    ) {
        $0.receivers
    },
]

extension StoredFieldSample {
    func answer(_ status: HTTPResponse.Status = .ok) -> Answer<StoredFieldSample> {
        .value(self, status: status, headers: [.eTag: tag.description])
    }

    var json: String {
        var text = JSONText()
        Output<StoredFieldSample>.fieldSample.write(self, &text)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// The refusal of a change of another version, which shows the present one.
    var stale: Problem {
        let current = (try? JSON(reading: Array(json.utf8))) ?? .null
        return Problem(
            .preconditionFailed, parameters: [.init("current", current)], headers: [.eTag: tag.description])
    }
}
