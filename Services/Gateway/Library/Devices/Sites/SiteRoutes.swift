import HTTPTypes
import Instants
import People
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of sites, of what stands at them, and of where a person's tanks were.
enum SiteRoutes {
    static let all = [make, stand, leave, places].forProjects()

    // MARK: Making

    private static let name = Input.field("name", .deviceName, "What the person calls the place.")
    private static let latitude = Input.optionalField("latitude", .decimal(-90...90), "Where it is, in degrees.")
    private static let longitude = Input.optionalField("longitude", .decimal(-180...180), "Where it is, in degrees.")
    private static let accuracy = Input.optionalField("accuracy", .placeAccuracy, SiteInputs.accuracyText)
    private static let source = Input.optionalField("source", .placeSource, SiteInputs.sourceText)
    private static let preset = Input.optionalField(
        "preset", .preset, "What lives in the water, or the id of a preset, with whose limits it begins.")

    private static let make = Route<Caller>(
        .post, "/sites", id: "makeSite", tag: DeviceRoutes.tag, access: .write, "Add a place without a device",
        text: """
            A weir, a shore: it is listed, shared, named, placed, moved and given up as a device is, and has limits, a journal and values by hand. \
            Nothing sends as it: it has no key and no claim code, is never silent, and once it is given up nobody takes it up again. Its id is made here.
            """,
        inputs: [name, latitude, longitude, accuracy, source, preset, Input<String?>.idempotencyKey],
        answers: .json(.created, .device, headers: [.eTag, .location]),
        creates: { caller, inputs, encoding in
            let (name, choice) = (inputs[name].text, inputs[preset])
            let place = SitePlace(
                latitude: inputs[latitude], longitude: inputs[longitude], accuracy: inputs[accuracy],
                source: inputs[source].map { .known($0) })
            try place.check(latitude: latitude, longitude: longitude, accuracy: accuracy, source: source)
            let known: Preset? = if case .known(let preset) = choice { preset } else { nil }
            return try await caller.scope.creation(encoding) { transaction, account in
                let made = try transaction.execute(
                    MakeSite(account: account, name: name, place: place, defaults: .starting(with: known)))
                guard let id = made.first.flatMap({ Device.HardwareID($0) }) else { throw Problem(.notFound) }
                let site = try transaction.personDevice(id)
                if let choice, known == nil {
                    guard let limits = try transaction.limits(of: choice) else { throw Problem(preset, .unknownPreset) }
                    _ = try transaction.execute(TakeLimits(limits, on: [site.key], of: account))
                }
                return site.created()
            }
        })

    // MARK: Standing

    private static let site = Input.field("site", .hardwareID, "The id of a site of the same owner.")

    private static let stand = Route<Caller>(
        .put, "/devices/{device}/site", id: "standAtSite", tag: DeviceRoutes.tag, access: .write,
        "Say at which site a device stands",
        text: """
            From now on, in place of another. It ends when the device or the site is given up, or moves into a project without the other. Who shares \
            both sees it.
            """,
        inputs: [DeviceInputs.device, site], answers: .json(.ok, .device, headers: [.eTag]),
        problems: [.notFound, .ownerOnly, .notForSites]
    ) { caller, inputs in
        let (id, site) = (inputs[DeviceInputs.device], inputs[site])
        return try await caller.scope.transaction { transaction, _ in
            _ = try transaction.ownDevice(id)
            switch try transaction.execute(StandAt(id, at: site))[0] {
            case .stands, .same: return try transaction.personDevice(id).answer()
            case .unknown: throw Problem(.notFound)
            case .notSite: throw Problem(Self.site, .notOwnSite)
            case .site: throw Problem(.notForSites)
            }
        }
    }

    private static let leave = Route<Caller>(
        .delete, "/devices/{device}/site", id: "leaveSite", tag: DeviceRoutes.tag, access: .write,
        "Say that a device stands at no site any more", text: "Where it stands at none, nothing changes.",
        inputs: [DeviceInputs.device], answers: .nothing, problems: [.notFound, .ownerOnly]
    ) { caller, inputs in
        let id = inputs[DeviceInputs.device]
        return try await caller.scope.transaction { transaction, _ in
            _ = try transaction.ownDevice(id)
            _ = try transaction.execute(StandNowhere(id))
            return .nothing
        }
    }

    // MARK: Former positions

    private static let limit = Input.limit(1...200, default: 50)
    private static let cursor = Input.cursor(of: "listPlaces", Int64.self)

    private static let places = Route<Caller>(
        .get, "/devices/{device}/places", id: "listPlaces", tag: DeviceRoutes.tag, access: .read,
        "List where it is and was",
        text: """
            As its owner said, newest first, of the time since they have it; the last \(SiteInputs.mostPlaces) positions are kept. A device's are its \
            owner's own; a site's are seen by everybody who has it.
            """,
        inputs: [DeviceInputs.device, cursor, limit], answers: .json(.ok, .page(of: output)), problems: [.notFound]
    ) { caller, inputs in
        let (id, limit) = (inputs[DeviceInputs.device], inputs[limit])
        let before = inputs[cursor].map { Timestamp(microseconds: $0) }
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            let device = try transaction.personDevice(id).key
            let rows = try transaction.execute(ListPlaces(of: device, before: before, limit: limit + 1))
            return .value(Page(rows, limit: limit, of: "listPlaces", key: \.since.microseconds))
        }
    }

    private static let output = Output<ListPlaces.Row>.object(
        "Place", "Where it was from a time on.",
        [
            .member("since", .timestamp, "From when on.") { $0.since },
            .member(
                "latitude", .optional(of: .decimal), "In degrees by WGS 84; null: its place was taken away.",
                example: 48.21
            ) { $0.place.latitude },
            .member("longitude", .optional(of: .decimal), "Likewise.", example: 16.37) { $0.place.longitude },
            .member("accuracy", .optional(of: .decimal), SiteInputs.accuracyText, example: 6) { $0.place.accuracy },
            .member(
                "source", .optional(of: .choice(Word<SitePlace.Source>.self)), SiteInputs.sourceText, example: "gps"
            ) { $0.place.source },
        ])
}

/// The common parts of routes of positions.
enum SiteInputs {
    /// So many positions of a tank are kept.
    static let mostPlaces = 1_000
    static let accuracyText = "The radius in metres within which it probably is; null: not known."
    static let sourceText = "What told the position: a receiver, a map, or a person who wrote it; null: not known."
}

extension Format where Value == Double {
    static let placeAccuracy = decimal(0...SitePlace.worstAccuracy).example(6)
}

extension Format where Value == SitePlace.Source {
    static let placeSource = choice(SitePlace.Source.self)
}

extension SitePlace {
    /// - Throws: `Problem` of the member that is missing: one of the two degrees, or the position of which something is said.
    func check<Degrees, Radius, Origin>(
        latitude: Input<Degrees>, longitude: Input<Degrees>, accuracy: Input<Radius>, source: Input<Origin>
    ) throws(Problem) {
        guard (self.latitude == nil) == (self.longitude == nil) else {
            throw Problem(self.latitude == nil ? latitude : longitude, .missing)
        }
        guard self.latitude == nil else { return }
        if self.accuracy != nil { throw Problem(accuracy, .withoutPlace) }
        if self.source != nil { throw Problem(source, .withoutPlace) }
    }
}

extension ProblemType {
    /// A site has neither a key, nor probes, nor anything else that a device has.
    static let notForSites = ProblemType("not-for-sites", .conflict)
}

extension Fault {
    fileprivate static let notOwnSite = Fault("not-own-site")
    fileprivate static let withoutPlace = Fault("without-place")
}
