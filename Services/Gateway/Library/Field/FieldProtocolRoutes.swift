import Crypto
import FoundationEssentials
import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of the protocols by which samples are taken.
enum FieldProtocolRoutes {
    static let all = [list, show, put].forProjects()

    private static let device = Input<Device.HardwareID?>.optionalQuery(
        "device", .hardwareID, "Also those of whoever owns this device; without it the account's own.")
    private static let id = Input.path("protocol", FieldSampleFormat.protocolID, "The protocol.")
    private static let version = Input<Int?>.optionalQuery(
        "version", FieldSampleFormat.version, "A version; the newest unless given.")

    private static let list = Route<Caller>(
        .get, "/field-protocols", id: "listFieldProtocols", tag: FieldSampleRoutes.tag, access: .readSamples,
        "List the protocols by which samples are taken",
        text:
            "Those that are built in, and then those that the owner made, in the language of the request. With If-None-Match, 304 where nothing is new.",
        inputs: [device], answers: .json(.ok, protocols, headers: [.eTag]), problems: [.notFound]
    ) { caller, inputs in
        let (device, scope) = (inputs[device], caller.scope)
        let own = try await scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            let key = try device.map { try transaction.personDevice($0).key }
            return try transaction.execute(ListFieldProtocols(of: key)).compactMap(\.self)
        }
        let language = scope.language
        let shown = (FieldProtocol.catalogue + own).map { ShownFieldProtocol($0, in: language) }
        var text = JSONText()
        protocols.write(shown, &text)
        let digest = Data(SHA256.hash(data: text.bytes).prefix(16)).base64EncodedString()
        let tag = EntityTag(digest.filter { $0 != "=" })
        let headers: HTTPFields = [
            .eTag: tag.description, .cacheControl: "private, no-cache", .vary: "Accept-Language",
        ]
        let isKnown = caller.headers[.ifNoneMatch].map { $0.contains(tag.value) } ?? false
        return isKnown ? .notModified(headers: headers) : .value(shown, headers: headers)
    }

    private static let protocols = Output<[ShownFieldProtocol]>.object(
        "FieldProtocols", "Protocols.",
        [.member("protocols", .list(of: ShownFieldProtocol.output), "In the order in which they are offered.") { $0 }])

    private static let show = Route<Caller>(
        .get, "/field-protocols/{protocol}", id: "showFieldProtocol", tag: FieldSampleRoutes.tag, access: .readSamples,
        "Show a version of a protocol", text: "Every version stays, since samples name one.",
        inputs: [id, device, version], answers: .json(.ok, ShownFieldProtocol.output, headers: [.eTag]),
        problems: [.notFound]
    ) { caller, inputs in
        let (id, device, version) = (inputs[id], inputs[device], inputs[version])
        let scope = caller.scope
        let found = try await scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            let key = try device.map { try transaction.personDevice($0).key }
            return try transaction.fieldProtocol(id, version: version, of: key)
        }
        guard let found else { throw Problem(.notFound) }
        return ShownFieldProtocol(found, in: scope.language).answer(.ok)
    }

    // MARK: Own protocols

    private static let name = Input.field("name", FieldProtocolFormat.name, "Its name.")
    private static let help = Input.optionalField("help", FieldProtocolFormat.help, "How it goes.")
    private static let stations = Input.field(
        "stations", FieldProtocolFormat.stations, default: 0, "The most stations of a route; 0: none.")
    private static let depths = Input.field("depths", .boolean, default: false, "Whether fields are asked at depths.")
    private static let fields = Input.field("fields", FieldProtocolFormat.fields, "What is asked, in this order.")
    private static let condition = Input<EntityTagCondition?>.ifMatchOfChange

    private static let put = Route<Caller>(
        .put, "/field-protocols/{protocol}", id: "putFieldProtocol", tag: FieldSampleRoutes.tag, access: .write,
        "Make a protocol of one's own, or its next version",
        text: """
            A person's for their devices; a project's, by an administrator who acts for it, for those of the project. Without If-Match it is made; \
            with If-Match the version after the one that it names is. The same again changes nothing. Former versions stay, for the samples that name \
            them. An account has 30, each of 100 versions.
            """,
        inputs: [id, condition, name, help, stations, depths, fields],
        answers: .json(.created, ShownFieldProtocol.output, alternatives: [.ok], headers: [.eTag]),
        problems: [.notFound, .protocolIsBuiltIn, .protocolsFull]
    ) { caller, inputs in
        let (id, condition, scope) = (inputs[id], inputs[condition], caller.scope)
        guard FieldProtocol.builtIn(id) == nil else { throw Problem(.protocolIsBuiltIn) }
        let made: FieldProtocol
        do throws(Fault) {
            made = try FieldProtocolFormat.made(
                id: id, version: 1, name: inputs[name], help: inputs[help], stations: inputs[stations],
                hasDepths: inputs[depths], fields: inputs[fields])
        } catch {
            throw Problem(fields, error)
        }
        guard made.storedJSON.utf8.count <= FieldSampleInputs.largestContent else { throw Problem(.tooLarge) }
        let (stored, status) = try await scope.transaction { transaction, _ in
            try transaction.put(made, condition)
        }
        return ShownFieldProtocol(stored, in: scope.language).answer(status)
    }
}

extension ShownFieldProtocol {
    fileprivate func answer(_ status: HTTPResponse.Status) -> Answer<ShownFieldProtocol> {
        .value(self, status: status, headers: [.eTag: tag.description])
    }
}

extension PostgresTransaction {
    /// A protocol that is built in, or that the owner of a device made; without a device one of the named account's own.
    /// - Parameter version: `nil` for the newest.
    /// - Returns: `nil` where there is none.
    func fieldProtocol(_ id: String, version: Int?, of device: DeviceKey?) throws -> FieldProtocol? {
        if FieldProtocol.builtIn(id) != nil { return FieldProtocol.builtIn(id, version: version) }
        return try execute(FindFieldProtocol(id, version: version, of: device)).first ?? nil
    }

    fileprivate func put(
        _ made: FieldProtocol, _ condition: EntityTagCondition?
    ) throws -> (FieldProtocol, HTTPResponse.Status) {
        let current = try fieldProtocol(made.id, version: nil, of: nil)
        let choice = try ClientChoice(
            condition, current: current.map { EntityTag(version: Int64($0.version)) },
            isSame: current?.storedJSON == made.storedJSON)
        if choice == .keep, let current { return (current, .ok) }
        switch try execute(PutFieldProtocol(made, from: current.map { Int32($0.version) })).first {
        case .made, .changed: break
        case .full: throw Problem(.protocolsFull)
        case .stale, nil: throw Problem(.preconditionFailed)
        }
        guard let stored = try fieldProtocol(made.id, version: nil, of: nil) else { throw Problem(.notFound) }
        return (stored, choice == .create ? .created : .ok)
    }
}

extension ProblemType {
    fileprivate static let protocolIsBuiltIn = ProblemType("protocol-is-built-in", .conflict)
    fileprivate static let protocolsFull = ProblemType("protocols-full", .conflict)
}
