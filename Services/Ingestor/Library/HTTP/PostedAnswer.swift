import Routes

/// What a device is told of the messages of its request, after their commit: with the words of commit receipts.
///
///     {"stored":2,"repeated":1,"rejected":[{"index":0,"reason":"tooOld"}]}
struct PostedAnswer: Equatable {
    private(set) var stored = 0
    private(set) var repeated = 0
    private(set) var rejected: [(index: Int, reason: RejectReason)] = []
    /// Those that the device has to send again.
    private(set) var shed = 0

    /// - Parameter statuses: In the order of the messages; nil for one that was shed.
    init(_ statuses: [ReceiptStatus?]) {
        for (index, status) in statuses.enumerated() {
            switch status {
            case .stored: stored += 1
            case .repeated: repeated += 1
            case .rejected(let reason): rejected.append((index, reason))
            case nil: shed += 1
            }
        }
    }

    static func == (left: PostedAnswer, right: PostedAnswer) -> Bool { left.members == right.members }

    var members: [JSON.Member] {
        [
            .init("stored", .integer(Int64(stored))), .init("repeated", .integer(Int64(repeated))),
            .init(
                "rejected",
                .array(
                    rejected.map {
                        JSON.object(["index": .integer(Int64($0.index)), "reason": .string($0.reason.rawValue)])
                    })),
        ]
    }
}
