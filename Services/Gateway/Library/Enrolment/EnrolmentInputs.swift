import HTTPTypes
import People
import Routes
import Store
import WaterQuality
import WebPush

/// The key that a page has made for what it asks, so that nobody else reads the answer.
struct PageKey: Sendable {
    /// A point of P-256, 65 bytes.
    let publicKey: [UInt8]
    /// 16 bytes.
    let secret: [UInt8]

    /// - Returns: nil for what is no such key.
    init?(publicKey: String, secret: String) {
        guard let publicKey = Base64URL.bytes(publicKey), let secret = Base64URL.bytes(secret),
            publicKey.count == 65, SubscriptionKeys(stored: publicKey + secret) != nil
        else { return nil }
        self.publicKey = publicKey
        self.secret = secret
    }
}

/// Inputs of the routes of enrolment.
enum EnrolmentInputs {
    static let batch = Input<EnrolmentID>.path("batch", .id, "The id of what was asked for.")

    static let key = Input.field(
        "key", .pageKey,
        "The public key and the secret that the page has made, as of a push subscription (RFC 8291): key and claim code are encrypted to them."
    )

    static let links = Input.field(
        "link", .boolean, default: true,
        "Whether the devices are the account's at once; otherwise each waits for whoever has its claim code.")

    static let devices = Input.field(
        "devices", Format<[WishedDevice]>.list(of: .wishedDevice, count: 1...Enrolment.most),
        "The devices, each id once. Without an id it gets one; without a name it is called by its id.")

    static let csv = Input.field(
        "csv", .text(0...250_000),
        "A table with the columns hardware_id, name, firmware and preset in any order, of which the first is needed; with commas, semicolons or tabs. A preset is one that comes with the service, or the name of one that the account may use."
    )

    /// - Throws: `Problem` where an id comes twice.
    static func wanted(_ wished: [WishedDevice]) throws(Problem) -> [WantedDevice] {
        var seen: Set<Device.HardwareID> = []
        var wanted: [WantedDevice] = []
        for (index, device) in wished.enumerated() {
            var id = device.id ?? .generate()
            while device.id == nil, seen.contains(id) { id = .generate() }
            guard seen.insert(id).inserted else { throw Problem(devices, Fault.repeated.inside("\(index)")) }
            wanted.append(
                WantedDevice(
                    id: id, name: device.name?.text ?? id.text, firmware: device.firmware, preset: device.preset))
        }
        return wanted
    }
}

/// A device as a request has it.
struct WishedDevice: Sendable {
    let id: Device.HardwareID?
    let name: DeviceName?
    let firmware: Firmware?
    let preset: PresetChoice?
}

extension Format where Value == PageKey {
    static let pageKey = object(
        [publicKey, secret], required: ["public", "auth"],
        example: [
            "public": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "auth": "BTBZMqHH6r4Tts7J_aSIgg",
        ], or: .notPageKey
    ) { members throws(Fault) in
        guard let point = try members[publicKey], let auth = try members[secret] else { return nil }
        return PageKey(publicKey: point, secret: auth)
    }

    private static let publicKey = ObjectMember(
        "public",
        Format<String>.text(
            87...87, pattern: "^[A-Za-z0-9_-]+$",
            example: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"))
    private static let secret = ObjectMember(
        "auth", Format<String>.text(22...22, pattern: "^[A-Za-z0-9_-]+$", example: "BTBZMqHH6r4Tts7J_aSIgg"))
}

extension Format where Value == WishedDevice {
    static let wishedDevice = object(
        [id, name, firmware, preset], example: ["id": "pond-1", "name": "Garden pond"], or: .notDeviceToEnrol
    ) { members throws(Fault) in
        WishedDevice(
            id: try members[id] ?? nil, name: try members[name] ?? nil, firmware: try members[firmware] ?? nil,
            preset: try members[preset] ?? nil)
    }

    private static let id = ObjectMember("id", Format<Device.HardwareID>.newHardwareID.nullable)
    private static let name = ObjectMember("name", Format<DeviceName>.deviceName.nullable)
    private static let firmware = ObjectMember("firmware", Format<Firmware>.choice(Firmware.self).nullable)
    private static let preset = ObjectMember("preset", Format<PresetChoice>.preset.nullable)
}

extension Format where Value == Device.HardwareID {
    /// The id of a device that is to be: none of a service.
    fileprivate static let newHardwareID = hardwareID.map {
        (id: Device.HardwareID) throws(Fault) -> Device.HardwareID in
        guard !id.text.hasPrefix(EnrolmentList.reservedPrefix) else { throw .pattern }
        return id
    }
}

extension Fault {
    fileprivate static let notPageKey = Fault("not-a-page-key")
    fileprivate static let notDeviceToEnrol = Fault("not-a-device-to-enrol")
}

extension ProblemType {
    static let batchOpen = ProblemType("batch-open", .conflict)
    static let tooManyToday = ProblemType("too-many-today", .conflict)
    static let notAllowedHere = ProblemType("not-allowed-here", .forbidden)
    static let enrollerSilent = ProblemType("enroller-silent", .serviceUnavailable)
}
