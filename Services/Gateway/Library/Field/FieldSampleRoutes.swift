import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of samples that people take in the field.
enum FieldSampleRoutes {
    static let tag = "Field samples"
    static let all =
        [put, list, show, versions, withdraw, review].forProjects() + FieldPhotoRoutes.all

    private static let sample = FieldSampleInputs.sample

    // MARK: Writing

    private static let put = Route<Caller>(
        .put, "/field-samples/{sample}", id: "putFieldSample", tag: tag, access: .writeSamples,
        "Send a sample, or its next version",
        text: """
            The client chooses the id, so that what is sent twice counts once: without If-Match the sample is made, with If-Match the version after \
            the one that it names is, by whoever took it or by the owner. The same again changes nothing. Another content without If-Match, or of \
            another version, is 412, and its member current is the present version. A sample that was withdrawn comes back by a further version.

            When it is done, its numbers and classes of parameters become a test by hand with the sample's id, which is limited, drawn and told of as \
            tests are, and changes with the sample alone: of a parameter that was measured several times what is nearest to the surface, then of the \
            first station. A sample has \(FieldSample.mostVersions) versions and 64 KB without its track; a person adds 200 a day.
            """,
        inputs: [sample, Input<EntityTagCondition?>.ifMatchOfChange] + FieldSampleInputs.content,
        answers: .json(.created, .fieldSample, alternatives: [.ok], headers: [.eTag]),
        problems: [.notFound, .ownerOnly, .viewersOnlyLook, .sampleFull, .noRoom]
    ) { caller, inputs in
        let (id, device) = (inputs[sample], inputs[FieldSampleInputs.device])
        let condition = inputs[Input<EntityTagCondition?>.ifMatchOfChange]
        return try await caller.scope.transaction { transaction, _ in
            let now = try transaction.execute(ReadClock())[0]
            let sent = try FieldSampleInputs.read(inputs, now: now)
            let key = try transaction.personDevice(device).key
            let found = try transaction.execute(FindFieldSample(id)).first ?? nil
            if let found, found.device != key { throw Problem(FieldSampleInputs.device, .otherDevice) }
            guard try transaction.choice(condition, of: found, sent) != .keep else {
                guard let found else { throw Problem(.notFound) }
                return found.answer()
            }
            guard
                let sampling = try transaction.fieldProtocol(
                    sent.protocolID, version: sent.protocolVersion, of: key)
            else { throw Problem(FieldSampleInputs.protocolID, .notProtocol) }
            try FieldSampleInputs.check(sent, by: sampling)
            guard sent.storedJSON.utf8.count <= FieldSampleInputs.largestContent else { throw Problem(.tooLarge) }
            let offset = inputs[FieldSampleInputs.sentAt].map { Float($0.unixSeconds - now.unixSeconds) }
            let outcome = try transaction.execute(
                PutFieldSample(
                    id: id, device: key, version: found?.version, sample: sent, clockOffset: offset,
                    values: sent.handValues(by: sampling)))
            return try transaction.answer(outcome.first, id, sent)
        }
    }
    .takingUpTo(FieldSampleInputs.largestBody)

    private static let withdraw = Route<Caller>(
        .delete, "/field-samples/{sample}", id: "withdrawFieldSample", tag: tag, access: .writeSamples,
        "Withdraw a sample",
        text: """
            As whoever took it may, and the owner. Nothing is deleted: a further version says that it is withdrawn, without values, words and track, \
            and its values by hand go. Again it is answered alike.
            """,
        inputs: [sample, Input<EntityTagCondition>.ifMatch], answers: .json(.ok, .fieldSample, headers: [.eTag]),
        problems: [.notFound, .ownerOnly, .viewersOnlyLook, .sampleFull]
    ) { caller, inputs in
        let (id, condition) = (inputs[sample], inputs[Input<EntityTagCondition>.ifMatch])
        return try await caller.scope.transaction { transaction, _ in
            let found = try transaction.fieldSample(id)
            guard condition.matches(found.tag) || found.sample.state == .withdrawn else { throw found.stale }
            switch try transaction.execute(WithdrawFieldSample(id, version: found.version)).first {
            case .withdrawn: return try transaction.fieldSample(id).answer()
            case .stale: throw try transaction.fieldSample(id).stale
            case .notTheirs: throw Problem(.ownerOnly)
            case .full: throw Problem(.sampleFull)
            case .unknown, nil: throw Problem(.notFound)
            }
        }
    }

    private static let verdict = Input.optionalField(
        "review", .choice(StoredFieldSample.Verdict.self), "The verdict; null takes it back.")
    private static let note = Input.optionalField("note", .text(1...500).example("The meter was new."), "Why.")

    private static let review = Route<Caller>(
        .put, "/field-samples/{sample}/review", id: "reviewFieldSample", tag: tag, access: .write,
        "Say what is held of a version of a sample",
        text: "By the owner, or for a project by its administrators. The version stays; a later one has no review.",
        inputs: [sample, Input<EntityTagCondition>.ifMatch, verdict, note],
        answers: .json(.ok, .fieldSample, headers: [.eTag]), problems: [.notFound, .ownerOnly, .viewersOnlyLook]
    ) { caller, inputs in
        let (id, condition) = (inputs[sample], inputs[Input<EntityTagCondition>.ifMatch])
        return try await caller.scope.transaction { transaction, _ in
            let found = try transaction.fieldSample(id)
            guard condition.matches(found.tag) else { throw found.stale }
            let review = ReviewFieldSample(
                id: id, version: found.version, verdict: inputs[verdict], note: inputs[note])
            switch try transaction.execute(review).first {
            case .reviewed: return try transaction.fieldSample(id).answer()
            case .stale: throw try transaction.fieldSample(id).stale
            case .notTheirs: throw Problem(.ownerOnly)
            case .unknown, nil: throw Problem(.notFound)
            }
        }
    }

    // MARK: Reading

    private static let ofDevice = Input<Device.HardwareID?>.optionalQuery(
        "device", .hardwareID, "Only of this device or place.")
    private static let limit = Input<Int>.limit(1...100, default: 50)
    private static let after = Input<FieldSampleCursor?>.optionalQuery(
        "after", .cursor(of: "listFieldSamples"), "The member next of the page before.")

    private static let list = Route<Caller>(
        .get, "/field-samples", id: "listFieldSamples", tag: tag, access: .readSamples,
        "List samples, the last changes first",
        text: """
            Of the tanks and places that the person sees. What was withdrawn is listed without its values; nothing leaves the list otherwise. A list has no tracks. The \
            device of the first page has to be given again with each cursor.
            """,
        inputs: [ofDevice, limit, after], answers: .json(.ok, .page(of: .fieldSample))
    ) { caller, inputs in
        let (place, limit) = (inputs[after]?.place ?? .newest, inputs[limit])
        let page = PageFieldSamples(below: place, of: inputs[ofDevice], limit: limit + 1)
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            let rows = Page(
                try transaction.execute(page), limit: limit, of: "listFieldSamples",
                key: { FieldSampleCursor($0.place) })
            return .value(Page(items: rows.items.compactMap(\.sample), next: rows.next))
        }
    }

    private static let show = Route<Caller>(
        .get, "/field-samples/{sample}", id: "showFieldSample", tag: tag, access: .readSamples, "Show a sample",
        text: "A former version has neither track nor review.", inputs: [sample, FieldSampleInputs.version],
        answers: .json(.ok, .fieldSample, headers: [.eTag]), problems: [.notFound]
    ) { caller, inputs in
        let (id, version) = (inputs[sample], inputs[FieldSampleInputs.version])
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            try transaction.fieldSample(id, version: version).answer()
        }
    }

    private static let versions = Route<Caller>(
        .get, "/field-samples/{sample}/versions", id: "listFieldSampleVersions", tag: tag, access: .readSamples,
        "List the versions of a sample, newest first", inputs: [sample],
        answers: .json(.ok, .list(of: version)), problems: [.notFound]
    ) { caller, inputs in
        let id = inputs[sample]
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            let rows = try transaction.execute(ListFieldVersions(of: id))
            guard !rows.isEmpty else { throw Problem(.notFound) }
            return .value(rows)
        }
    }

    private static let version = Output<ListFieldVersions.Row>.object(
        "FieldSampleVersion", "A version of a sample, without its content.",
        [
            .member("version", .integer, "Its number.", example: 1) { Int($0.version) },
            .member("state", .text, "What was said of it: begun, done or withdrawn.", example: "done") { $0.state },
            .member("changedAt", .timestamp, "When it came.") { $0.changedAt },
            .member("by", .optional(of: CarePerson.output), "Who sent it; null: somebody who is gone.") { $0.by },
        ])
}

extension PostgresTransaction {
    /// A sample that the person sees.
    /// - Throws: `Problem(.notFound)`, for an unknown one as for somebody else's.
    func fieldSample(_ id: FieldSampleID, version: Int? = nil) throws -> StoredFieldSample {
        guard let found = try execute(FindFieldSample(id, version: version.map(Int32.init))).first ?? nil else {
            throw Problem(.notFound)
        }
        return found
    }

    /// The effect of a sample that was sent on the one that is there.
    /// - Throws: As `ClientChoice`; for another version the present one is told.
    fileprivate func choice(
        _ condition: EntityTagCondition?, of found: StoredFieldSample?, _ sent: FieldSample
    ) throws(Problem) -> ClientChoice {
        do throws(Problem) {
            return try ClientChoice(condition, current: found?.tag, isSame: found?.sample == sent)
        } catch {
            throw error.type == .preconditionFailed ? found?.stale ?? error : error
        }
    }

    /// The answer to a sample that was sent.
    fileprivate func answer(
        _ outcome: PutFieldSample.Outcome?, _ id: FieldSampleID, _ sent: FieldSample
    ) throws -> Answer<StoredFieldSample> {
        switch outcome {
        case .created: return try fieldSample(id).answer(.created)
        case .changed: return try fieldSample(id).answer()
        case .stale:
            // The same may have come by another request in between.
            let present = try fieldSample(id)
            guard present.sample == sent else { throw present.stale }
            return present.answer()
        case .notTheirs: throw Problem(.ownerOnly)
        case .full: throw Problem(.sampleFull)
        case .unknown, nil: throw Problem(.notFound)
        }
    }
}

extension ProblemType {
    fileprivate static let sampleFull = ProblemType("sample-full", .conflict)
}
