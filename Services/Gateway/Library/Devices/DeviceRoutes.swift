import HTTPTypes
import People
import Postgres
import PublicHTTP
import PushTargets
import Routes
import Secrets
import ServiceKit
import Store
import WaterQuality

/// Routes of listing, linking, naming and unlinking devices.
enum DeviceRoutes {
    static let tag = "Devices"
    static let all = [list, show, link, change, unlink].forProjects()

    // MARK: Reading

    private static let limit = Input.limit(1...200, default: 100)
    private static let cursor = Input.cursor(of: "listDevices", String.self)

    private static let list = Route<Caller>(
        .get, "/devices", id: "listDevices", tag: tag, access: .read, "List my devices",
        text: "Those that the person owns and those that the person watches, in the order of their ids.",
        inputs: [cursor, limit], answers: .json(.ok, .page(of: .device))
    ) { caller, inputs in
        let (limit, after) = (inputs[limit], inputs[cursor] ?? "")
        return try await caller.scope.transaction { transaction, _ in
            let rows = try transaction.explained(
                try transaction.execute(ListPersonDevices(after: after, limit: limit + 1)))
            return .value(Page(rows, limit: limit, of: "listDevices", key: \.hardwareID))
        }
    }

    private static let show = Route<Caller>(
        .get, "/devices/{device}", id: "showDevice", tag: tag, access: .read, "Show one of my devices",
        inputs: [DeviceInputs.device], answers: .json(.ok, .device, headers: [.eTag]), problems: [.notFound]
    ) { caller, inputs in
        let id = inputs[DeviceInputs.device]
        return try await caller.scope.transaction { transaction, _ in
            try transaction.explained([try transaction.personDevice(id)])[0].answer()
        }
    }

    // MARK: Linking

    private static let claimCode = Input.field(
        "claimCode",
        .reading("claim code", example: "7KQ2-M8XD-0R4T", count: 12...40) { text throws(Fault) in
            guard let code = ClaimCode(text) else { throw .pattern }
            return code
        }, "The code that came with the device. Case, spaces and dashes do not matter.")
    private static let name = Input.field("name", .deviceName, "What the person calls the device.")

    private static let preset = Input.optionalField(
        "preset", .preset, "What lives in the water, or the id of a preset, with whose limits it begins.")

    private static let link = Route<Caller>(
        .post, "/devices", id: "linkDevice", tag: tag, access: .write, "Link a device by its claim code",
        text: "Makes the person its owner, with the default limits of every parameter, or with those of a preset.",
        inputs: [claimCode, name, preset, Input<String?>.idempotencyKey],
        answers: .json(.created, .device, headers: [.eTag, .location]),
        problems: [.claimCodeUnknown, .deviceTaken, .deviceAlreadyYours], limit: .credentials,
        creates: { caller, inputs, encoding in
            let services = caller.scope.services
            let hashes = inputs[claimCode].hashes(under: services.secretKeys.renewed())
            let (name, origin) = (inputs[name].text, caller.scope.address.guessOrigin)
            let choice = inputs[preset]
            let known: Preset? = if case .known(let preset) = choice { preset } else { nil }
            let defaults = [LinkDevice.Default].starting(with: known)
            return try await caller.scope.creation(encoding) { transaction, account in
                let guess = Guess(subject: "\(account.rawValue)", origin: origin)
                if let wait = services.claimCodes.admit(guess) { throw Problem(.tooManyRequests, retryAfter: wait) }
                let claim = try transaction.execute(
                    ClaimDevice(hashes: hashes, account: account, name: name, defaults: defaults))[0]
                switch claim.outcome {
                case .unknown: throw Problem(.claimCodeUnknown)
                case .taken: throw Problem(.deviceTaken)
                case .yours:
                    services.claimCodes.succeed(guess)
                    throw Problem(.deviceAlreadyYours)
                case .linked: services.claimCodes.succeed(guess)
                }
                guard let id = claim.hardwareID.flatMap({ Device.HardwareID($0) }) else { throw Problem(.notFound) }
                let device = try transaction.personDevice(id)
                if let choice, known == nil {
                    guard let limits = try transaction.limits(of: choice) else { throw Problem(preset, .unknownPreset) }
                    _ = try transaction.execute(TakeLimits(limits, on: [device.key], of: account))
                }
                return device.created()
            }
        })

    // MARK: Changing

    private static let newName = Input.optionalField("name", .deviceName, "What the person calls it.")
    private static let latitude = Input.change("latitude", .decimal(-90...90), "In degrees; null takes the place away.")
    private static let longitude = Input.change(
        "longitude", .decimal(-180...180), "In degrees; null takes the place away.")
    private static let accuracy = Input.change("accuracy", .placeAccuracy, SiteInputs.accuracyText)
    private static let source = Input.change("source", .placeSource, SiteInputs.sourceText)

    private static let showsOnDevice = Input.optionalField(
        "showsOnDevice", .boolean,
        "Whether the device itself shows what its owner sees, and its button answers alarms for them; only its owner may let it."
    )

    private static let moves = Input.optionalField(
        "moves", .boolean,
        "Whether it moves, as a boat does, so that the positions that it sends are kept; only its owner may say so.")

    private static let change = Route<Caller>(
        .patch, "/devices/{device}", id: "changeDevice", tag: tag, access: .write, "Change its name and place",
        text: """
            Both are the person's own: others who have the device do not see them. A site's place is its owner's to change, and all who have it see it. \
            Another position ends the one before, which the list of places keeps; where it comes without accuracy and source, these are not known. With showsOnDevice, whoever holds the device's key \
            reads its owner's name for it, values and limits, and who is on it. Without moves no position is kept; with it all who have the \
            device see where it is and was.
            """,
        inputs: [
            DeviceInputs.device, Input<EntityTagCondition>.ifMatch, newName, latitude, longitude, accuracy, source,
            showsOnDevice, moves,
        ],
        answers: .json(.ok, .device, headers: [.eTag]), problems: [.notFound, .ownerOnly, .notForSites]
    ) { caller, inputs in
        let (id, condition) = (inputs[DeviceInputs.device], inputs[Input<EntityTagCondition>.ifMatch])
        let (name, latitude, longitude) = (inputs[newName], inputs[latitude], inputs[longitude])
        let (accuracy, source) = (inputs[accuracy], inputs[source])
        let (shows, moves) = (inputs[showsOnDevice], inputs[moves])
        return try await caller.scope.transaction { transaction, account in
            _ = try transaction.lockDevice(id, of: account)
            let device = try transaction.personDevice(id)
            try condition.requireMatch(device.tag)
            let before = device.place
            var place = SitePlace(
                latitude: latitude.applied(to: before.latitude), longitude: longitude.applied(to: before.longitude))
            let known = place.isAt(before) ? before : SitePlace()
            place.accuracy = accuracy.applied(to: known.accuracy)
            let wasKnown: SitePlace.Source? = if case .known(let source)? = known.source { source } else { nil }
            place.source = source.applied(to: wasKnown).map { .known($0) }
            try place.check(
                latitude: Self.latitude, longitude: Self.longitude, accuracy: Self.accuracy, source: Self.source)
            let (isOwner, isSite) = (device.role == .known(.owner), device.isSite)
            guard isOwner || shows != true && moves == nil && (!isSite || place == before) else {
                throw Problem(.ownerOnly)
            }
            if shows == true || moves == true { try device.requireDevice() }
            let change = ChangeDevice(
                device: device.key, account: account, name: name?.text ?? device.name,
                // a site has one place, which is its owner's
                place: isSite && !isOwner ? SitePlace() : place, showsOnDevice: shows ?? device.showsOnDevice,
                moves: isOwner && (moves ?? device.moves))
            _ = try transaction.perform(change)
            return try transaction.personDevice(id).answer()
        }
    }

    // MARK: Unlinking

    private struct Unlinked: Sendable {
        let claimCode: ClaimCode?
    }

    private static let unlink = Route<Caller>(
        .delete, "/devices/{device}", id: "unlinkDevice", tag: tag, access: .fresh, "Unlink a device, or leave it",
        text: """
            Episodes close, and alerts on their way are cancelled. When the owner unlinks a device, nobody watches it any \
            longer, and it gets a new claim code, which is shown this once; a site has none, and is nobody's from then on. A watcher leaves the device to the others. \
            Of a project, an owner unlinks devices, and administrators do not.
            """,
        inputs: [DeviceInputs.device, Input<String?>.idempotencyKey],
        answers: .json(
            .ok,
            .object(
                "Unlinked", "What became of the device.",
                [
                    .member(
                        "claimCode", .optional(of: .text),
                        "The code for its next owner; null when the person watched it, and of a site.",
                        example: "7KQ2-M8XD-0R4T"
                    ) { (unlinked: Unlinked) in unlinked.claimCode.map { "\($0)" } }
                ])),
        problems: [.notFound, .ownersOnly, .deviceOfProject],
        creates: { caller, inputs, encoding in
            let id = inputs[DeviceInputs.device]
            let code = ClaimCode.generate()
            let key = caller.scope.services.secretKeys.renewed().newest
            let stored = StoredClaimCode(hash: code.hash(under: key), keyID: "\(key.id)")
            return try await caller.scope.creation(encoding) { transaction, account in
                // Not locked: the statements lock the slot before the ownership, as engines do.
                let device = try transaction.personDevice(id)
                let isDone: Bool
                switch device.role {
                case .known(.owner):
                    if let project = device.project, project.role != .known(.owner) { throw Problem(.ownersOnly) }
                    let unlink = UnlinkDevice(device: device.key, account: account, claimCode: stored)
                    isDone = try transaction.execute(unlink)[0]
                // A member's part ends with their membership.
                case .known(.watcher) where device.project != nil: throw Problem(.deviceOfProject)
                case .known(.watcher), .other:
                    isDone = try transaction.execute(EndWatching(device: device.key, account: account))[0]
                }
                guard isDone else { throw Problem(.notFound) }
                let isFree = device.role == .known(.owner) && !device.isSite
                return .value(Unlinked(claimCode: isFree ? code : nil))
            }
        })
}

extension PersonDevice {
    func created() -> Answer<PersonDevice> {
        var answer = answer()
        answer.headers[.location] = "\(GatewayAPI.base)/devices/\(hardwareID)"
        return answer
    }
}
