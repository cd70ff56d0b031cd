import Routes

/// The answer to a device's request after the commit of its messages, in the words of commit receipts.
///
///     {"stored":2,"repeated":1,"rejected":[{"index":0,"reason":"tooOld"}],"times":[{"index":3,"time":"implausible"}]}
struct PostedAnswer: Equatable {
    private(set) var stored = 0
    /// Indices of messages stored with the time of receipt, because the stated time is implausible.
    private(set) var doubted: [Int] = []
    private(set) var repeated = 0
    private(set) var rejected: [(index: Int, reason: RejectReason)] = []
    /// Messages that the device has to send again.
    private(set) var shed = 0
    /// Whether nothing of the request is stored, now or before, and nothing needs sending again.
    var isRefused: Bool { stored == 0 && repeated == 0 && shed == 0 }

    /// - Parameter statuses: In the order of the messages; nil for one that was shed.
    init(_ statuses: [ReceiptStatus?]) {
        for (index, status) in statuses.enumerated() {
            switch status {
            case .stored: stored += 1
            case .storedAtReceipt:
                stored += 1
                doubted.append(index)
            case .repeated: repeated += 1
            case .rejected(let reason): rejected.append((index, reason))
            case nil: shed += 1
            }
        }
    }

    static func == (left: PostedAnswer, right: PostedAnswer) -> Bool { left.members == right.members }

    var members: [JSON.Member] {
        var members: [JSON.Member] = [
            .init("stored", .integer(Int64(stored))), .init("repeated", .integer(Int64(repeated))),
            .init("rejected", Self.list(rejected.map { ($0.index, "reason", $0.reason.rawValue) })),
        ]
        // Usually empty, and left out because devices read answers with little memory.
        if !doubted.isEmpty { members.append(.init("times", Self.list(doubted.map { ($0, "time", "implausible") }))) }
        return members
    }

    private static func list(_ words: [(index: Int, name: String, word: String)]) -> JSON {
        .array(words.map { JSON.object(["index": .integer(Int64($0.index)), $0.name: .string($0.word)]) })
    }
}
