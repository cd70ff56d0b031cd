import Instants
import Routes
import Store
import WaterQuality
import Words

/// A version of a sample as a project received it.
struct ReceivedSample: Sendable {
    /// The place among all that the project received.
    var sequence: Int64
    var id: FieldSampleID
    var version: Int32
    /// Done, or withdrawn.
    var state: FieldSample.State
    var sentAt: Timestamp
    var hardwareID: String
    /// The owner's name of the place, and its position, when it was sent.
    var name: String?
    var latitude: Double?
    var longitude: Double?
    /// The owner, as others see them; `nil`: somebody who is gone.
    var sender: String?
    /// `nil` of what was withdrawn, and of what only a newer version of the service can read.
    var stored: StoredFieldSample?
    /// The protocol, where the sender made it.
    var ownProtocol: FieldProtocol?

    /// The protocol by which it was taken.
    var sampling: FieldProtocol? {
        ownProtocol
            ?? stored.flatMap { FieldProtocol.builtIn($0.sample.protocolID, version: $0.sample.protocolVersion) }
    }
}

/// A page of what a project received.
struct ReceivedPage: Sendable {
    let items: [ReceivedSample]
    /// Where to go on, also at the end.
    let cursor: String
    let hasMore: Bool
    let language: Language
}

/// A place in what a project received, as clients carry it.
struct ReceivedCursor: CursorKey {
    let sequence: Int64

    init(_ sequence: Int64) { self.sequence = sequence }

    var cursorParts: [JSON] { [.integer(sequence)] }

    init?(cursorParts parts: [JSON]) {
        guard parts.count == 1, case .integer(let number) = parts[0], number >= 0 else { return nil }
        sequence = number
    }
}

extension Output where Value == ReceivedPage {
    static let receivedPage = object(
        "ReceivedSamples", "Samples that a project received.",
        [
            .member("items", .list(of: .receivedSample), "The versions of samples.") { page in
                page.items.map { ShownReceivedSample(sample: $0, language: page.language) }
            },
            .member(
                "cursor", .text, "What since is next time, or before: what came later follows, or earlier.",
                example: "WyJsaXN0UmVjZWl2ZWRTYW1wbGVzIiw0Ml0"
            ) { $0.cursor },
            .member("hasMore", .boolean, "Whether more follows already.", example: false) { $0.hasMore },
        ])
}

/// A received sample with its protocol in the words of a language.
struct ShownReceivedSample: Sendable {
    let sample: ReceivedSample
    let language: Language
}

extension Output where Value == ShownReceivedSample {
    static let receivedSample = object(
        "ReceivedSample", "A version of a sample that somebody sent.",
        [
            .member("id", .id, "The sample. It comes again with each version.") { $0.sample.id },
            .member("version", .integer, "The version. The same version again replaces what came before.", example: 1) {
                Int($0.sample.version)
            },
            .member(
                "state", .choice(FieldSample.State.self),
                "done; or withdrawn: no version of the sample is to be used any more.", example: "done"
            ) { $0.sample.state },
            .member("sentAt", .timestamp, "When it came.") { $0.sample.sentAt },
            .member("device", .text, "The device or place.", example: "weir-1") { $0.sample.hardwareID },
            .member("name", .optional(of: .text), "What its owner called it.", example: "Weir") { $0.sample.name },
            .member("latitude", .optional(of: .decimal), "Where it was, in degrees.", example: 48.2) {
                $0.sample.latitude
            },
            .member("longitude", .optional(of: .decimal), "Likewise.", example: 16.4) { $0.sample.longitude },
            .member("sender", .optional(of: .text), "Its owner; null: somebody who is gone.", example: "Ana") {
                $0.sample.sender
            },
            .member("sample", .optional(of: .fieldContent), "What was found; null of what was withdrawn.") {
                $0.sample.stored?.sample
            },
            .member("review", .optional(of: .fieldReview), "What the owner holds of this version.") {
                $0.sample.stored?.review
            },
            .member(
                "ownProtocol", .optional(of: ShownFieldProtocol.output),
                "The protocol, where the owner made it; null: it comes with the service."
            ) { shown in shown.sample.ownProtocol.map { ShownFieldProtocol($0, in: shown.language) } },
        ])
}
