import HTTPTypes
import Routes
import Store
import WaterQuality

extension Output where Value == PersonDevice {
    static let device = Output.object(
        "Device", "A device or a site that the person owns or watches.",
        [
            .member("id", .text, "The id that its maker gave it; of a site, that was made for it.", example: "pond-1") {
                $0.hardwareID
            },
            .member(
                "kind", .choice(Word<Device.Kind>.self),
                "A site is a place without a device: it is neither online nor silent, and people measure its water themselves.",
                example: "device"
            ) { $0.kind },
            .member("name", .text, "The person's own name for it.", example: "Garden pond") { $0.name },
            .member("role", .choice(Word<Ownership.Role>.self), "The person's part in it.", example: "owner") {
                $0.role
            },
            .member(
                "latitude", .optional(of: .decimal),
                "Where the person says that it is, in degrees; of a site, where its owner says so.", example: 48.21
            ) { $0.place.latitude },
            .member("longitude", .optional(of: .decimal), "Likewise.", example: 16.37) { $0.place.longitude },
            .member("accuracy", .optional(of: .decimal), SiteInputs.accuracyText, example: .null) { $0.place.accuracy },
            .member(
                "source", .optional(of: .choice(Word<SitePlace.Source>.self)), SiteInputs.sourceText, example: .null
            ) { $0.place.source },
            .member(
                "site", .optional(of: .deviceSite), "The site at which it stands; null: none that the person has.",
                example: .null
            ) { $0.site },
            .member(
                "lastTest", .optional(of: .lastTest),
                "Of a site: the newest test of its water by hand; null: it was never tested.", example: .null
            ) { $0.lastTest },
            .member(
                "showsOnDevice", .boolean,
                "Whether the device itself shows what its owner sees, and its button answers alarms for them.",
                example: false
            ) { $0.showsOnDevice },
            .member(
                "moves", .boolean,
                "Whether its owner says that it moves, so that the positions that it sends are kept.",
                example: false
            ) { $0.moves },
            .member(
                "lastPosition", .optional(of: ShownPosition.output),
                "Where it was last, while it moves; null: nothing is known of that, or it does not.", example: .null
            ) { $0.lastPosition.map { ShownPosition(point: $0) } },
            .member("since", .timestamp, "Since when the person has it.") { $0.linkedAt },
            .member(
                "online", .optional(of: .boolean), "Whether it is connected; null while it has said nothing about that."
            ) { $0.online },
            .member(
                "silentSince", .optional(of: .timestamp),
                "When it was last heard, while it is not connected, or has sent nothing for too long.", example: .null
            ) { $0.heardBeforeSilence },
            .member(
                "silenceHint", .optional(of: .silenceHint),
                "While it is silent: what it had said of itself that probably explains it.", example: .null
            ) { $0.silenceHint },
            .member("lastReadingAt", .optional(of: .timestamp), "The time of its last reading that is the person's.") {
                $0.lastReadingAt
            },
            .member(
                "brokenProbes", .list(of: .brokenProbe),
                "Its probes that report an error instead of values, or whose values have stayed the same for too long."
            ) { $0.brokenProbes },
            .member(
                "second", .optional(of: .text),
                "The id of the device in the same water with whose probes its own are compared; null: none that the person has.",
                example: .null
            ) { $0.second },
            .member(
                "differingProbes", .list(of: .differingProbe),
                "Its probes that have lain apart from those of the second device for too long."
            ) { $0.differingProbes },
            .member(
                "clock", .optional(of: .deviceClock),
                "Its clock, while that is wrong or may be; null where its times are right, or it sends none.",
                example: .null
            ) { $0.clock },
            .member(
                "unreadable", .optional(of: .unreadable),
                "Messages of the last day that could not be read, of the kind that began last; null: none, or the person only watches.",
                example: .null
            ) { $0.unreadable },
            .member(
                "work", .optional(of: ShownWork.output),
                "Work on its water that goes on, or has ended within the hour; null: nobody has worked on it since.",
                example: .null
            ) { $0.work },
            .member(
                "project", .optional(of: .deviceProject), "The project whose device it is; null: it is of none.",
                example: .null
            ) { $0.project },
        ])
}

extension Output where Value == PersonDevice.LastTest {
    static let lastTest = Output.object(
        "SiteTest", "The newest test of a site's water.",
        [
            .member("at", .timestamp, "When the water was tested.") { $0.at },
            .member("values", .list(of: .testedValue), "What was measured.") { $0.values },
        ])
}

extension Output where Value == PersonDevice.LastTest.Value {
    fileprivate static let testedValue = Output.object(
        "TestedValue", "A value by hand.",
        [
            .member(
                "parameter", .text, "The parameter, by its number where only a newer version knows its name.",
                example: "ph"
            ) { $0.parameter.name },
            .member(
                "canonicalValue", .decimal,
                "In the parameter's own unit; of a step of a kit's card, the number that stands there.", example: 7.4
            ) { $0.value.shownDouble },
        ])
}

extension Output where Value == PersonDevice.Site {
    static let deviceSite = Output.object(
        "DeviceSite", "A site at which a device stands.",
        [
            .member("id", .text, "Its id.", example: "site-4x7k2m9q0a") { $0.id },
            .member("name", .text, "The person's own name for it.", example: "Upper weir") { $0.name },
            .member("since", .timestamp, "Since when.") { $0.since },
        ])
}

extension Output where Value == PersonDevice.Project {
    static let deviceProject = Output.object(
        "DeviceProject", "A project that has the device.",
        [
            .member("id", .text, "Its id.", example: "42") { "\($0.id.rawValue)" },
            .member("name", .text, "Its name.", example: "Koi Farm") { $0.name },
            .member("role", .choice(Word<ProjectRole>.self), "The person's role in it.", example: "keeper") { $0.role },
        ])
}

extension Output where Value == PersonDevice.Unreadable {
    static let unreadable = Output.object(
        "Unreadable", "A kind of message that could not be read. The list of rejects has all of them.",
        [
            .member("reason", .text, "As in the list of rejects.", example: "unknownParameter") { $0.reason },
            .member("subject", .text, "As in the list of rejects.", example: "po4") {
                ForeignText.shown($0.subject, longest: 64)
            },
            .member("since", .timestamp, "When the first of the day came.") { $0.since },
        ])
}

extension Output where Value == PersonDevice.Clock {
    static let deviceClock = Output.object(
        "DeviceClock", "The clock of a device, which is wrong or may be.",
        [
            .member(
                "lagSeconds", .optional(of: .integer),
                "How many seconds it is behind, negative where it is ahead; null while that is not known.",
                example: 7_200
            ) { $0.lagSeconds.map { Int($0) } },
            .member(
                "steppedAt", .optional(of: .timestamp), "When it was last put back, as far as that was seen."
            ) { $0.steppedAt },
        ])
}

extension Output where Value == PersonDevice.BrokenProbe {
    static let brokenProbe = Output.object(
        "BrokenProbe",
        "A probe that reports an error instead of values, or whose value has stayed the same for too long.",
        [
            .member(
                "parameter", .text,
                "The parameter that it measures, by its number where only a newer version knows its name.",
                example: "ph"
            ) { $0.parameter.name },
            .member("since", .timestamp, "Since when.") { $0.since },
            .member(
                "flatAt", .optional(of: .decimal),
                "The value at which it has stayed, in the parameter's own unit; null where it reports an error.",
                example: .null
            ) { $0.flatAt?.shownDouble },
        ])
}

extension Output where Value == PersonDevice.DifferingProbe {
    static let differingProbe = Output.object(
        "DifferingProbe", "A probe that reads higher or lower than a second one in the same water.",
        [
            .member(
                "parameter", .text,
                "The parameter that it measures, by its number where only a newer version knows its name.",
                example: "ph"
            ) { $0.parameter.name },
            .member("since", .timestamp, "Since when.") { $0.since },
            .member(
                "by", .decimal, "How much higher it reads, lower below zero, in the parameter's own unit.", example: 0.4
            ) { $0.by.shownDouble },
        ])
}

extension PersonDevice {
    /// The version of the name, of the place and of whether the device shows anything or moves. Unlinking a device and linking it again changes it.
    var tag: EntityTag { EntityTag("o\(ownership)-v\(version)") }

    func answer(_ status: HTTPResponse.Status? = nil) -> Answer<PersonDevice> {
        .value(self, status: status, headers: [.eTag: tag.description])
    }
}
