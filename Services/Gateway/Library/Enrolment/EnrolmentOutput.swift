import People
import Routes
import Store
import WaterQuality

extension Output where Value == ShowEnrolment.Row {
    static let enrolment = Output.object(
        "Enrolment", "Whether devices can be enrolled here, and what they are told.",
        [
            .member(
                "state", .choice(ShowEnrolment.State.self),
                "ready; silent: what makes devices was not heard for a minute; off: nothing here makes devices.",
                example: "ready"
            ) { $0.state },
            .member("allowed", .boolean, "Whether the account may enrol devices.", example: true) { $0.isAllowed },
            .member("left", .integer, "How many more on this day (UTC).", example: 1_000) { Int($0.left) },
            .member("most", .integer, "How many at once.", example: 1_000) { _ in Enrolment.most },
            .member("port", .integer, "The broker's port for devices.", example: 8_883) { Int($0.port) },
            .member("tls", .boolean, "Whether they connect by TLS.", example: true) { $0.usesTLS },
            .member("httpUrl", .optional(of: .text), "Where devices without MQTT post readings; null: nowhere.") {
                $0.httpOrigin
            },
        ])
}

/// The worth of a list of devices, before anything is done.
struct LookedAtList: Sendable {
    struct Device: Sendable {
        let entry: EnrolmentList.Entry
        let presetName: String?
        let standing: LookAtIDs.Standing
    }

    let devices: [Device]
    let faults: [EnrolmentList.Fault]

    static let output = Output<LookedAtList>.object(
        "LookedAtList", "What would become of a list of devices.",
        [
            .member("devices", .list(of: device), "Those of lines without a fault, in the order of the list.") {
                $0.devices
            },
            .member("faults", .list(of: fault), "Everything that is wrong with the list.") { $0.faults },
        ])

    private static let device = Output<Device>.object(
        "ListedDevice", "A device of the list.",
        [
            .member("line", .integer, "Its line, from 1.", example: 2) { $0.entry.line },
            .member("id", .text, "Its id.", example: "pond-1") { $0.entry.id.text },
            .member("name", .optional(of: .text), "Its name; null: it is called by its id.") { $0.entry.name?.text },
            .member("firmware", .optional(of: .text), "Its firmware; null: not said.") { $0.entry.firmware?.rawValue },
            .member("preset", .optional(of: .text), "Whose limits it begins with; null: the manual's.") {
                $0.entry.preset
            },
            .member("presetName", .optional(of: .text), "What that is called.", example: .null) { $0.presetName },
            .member(
                "state", .choice(LookAtIDs.Standing.self),
                "new; known: the account has it already, and nothing changes; taken: it is somebody else's.",
                example: "new"
            ) { $0.standing },
        ])

    private static let fault = Output<EnrolmentList.Fault>.object(
        "ListFault", "Something that is wrong with the list.",
        [
            .member("line", .integer, "The line, from 1.", example: 3) { $0.line },
            .member("column", .optional(of: .text), "The column; null: the whole line.") { $0.column?.rawValue },
            .member("code", .choice(EnrolmentList.Fault.Kind.self), "What it is.", example: "id") { $0.kind },
            .member("detail", .optional(of: .text), "What stands there; of an id that comes twice its first line.") {
                $0.detail
            },
        ])
}

/// A batch, and what has become of it.
struct ShownEnrolment: Sendable {
    let kind: Enrolment.Kind
    let isDone: Bool
    let devices: [ListEnrolledDevices.Row]

    enum State: String, CaseIterable, Sendable {
        case waiting, done
    }

    static let output = Output<ShownEnrolment>.object(
        "EnrolmentBatch", "What was asked for at once, and what has become of it; gone an hour after it is done.",
        [
            .member("kind", .choice(Enrolment.Kind.self), "Devices, or new keys of devices.", example: "make") {
                $0.kind
            },
            .member("state", .choice(State.self), "Whether anything waits.", example: "done") {
                $0.isDone ? .done : .waiting
            },
            .member("done", .integer, "How many wait no more.", example: 48) { shown in
                shown.devices.count { $0.state != .waiting }
            },
            .member("of", .integer, "How many were asked for.", example: 48) { $0.devices.count },
            .member("devices", .list(of: device), "In the order in which they were asked for.") { $0.devices },
        ])

    private static let device = Output<ListEnrolledDevices.Row>.object(
        "EnrolledDevice", "A device that was asked for.",
        [
            .member("id", .text, "Its id.", example: "pond-1") { $0.id },
            .member("name", .text, "Its name.", example: "Garden pond") { $0.name },
            .member("firmware", .optional(of: .text), "Its firmware; null: not said.") { $0.firmware },
            .member(
                "state", .choice(Enrolment.State.self),
                "known: the account had it already, and nothing has changed.", example: "made"
            ) { $0.state },
            .member("reason", .optional(of: .choice(Enrolment.Reason.self)), "Why it was refused; null otherwise.") {
                $0.reason
            },
            .member(
                "sealed", .optional(of: .text),
                """
                Of what was made: id, user, password, host, port, tls, httpUrl and claimCode as JSON, encrypted to the page's key (aes128gcm, \
                RFC 8291) in base64url. null otherwise.
                """
            ) { $0.sealed.map(Base64URL.text) },
        ])
}

/// The batch that a request has begun.
struct AskedEnrolment: Sendable {
    let batch: EnrolmentID

    static let output = Output<AskedEnrolment>.object(
        "AskedEnrolment", "What was asked for is made now.",
        [.member("batch", .id, "By which it is shown.") { $0.batch }])
}
