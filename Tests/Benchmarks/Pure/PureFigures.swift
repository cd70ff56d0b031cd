/// The throughput of one core that does nothing else.
struct PureFigures: Encodable, Sendable {
    let evaluationsPerSecond: Double
    let evaluationsSpread: Rate.Spread
    let decodingsPerSecond: Double
    let decodingsSpread: Rate.Spread
    let signaturesPerSecond: Double
    let signaturesSpread: Rate.Spread
    let encryptionsPerSecond: Double
    let encryptionsSpread: Rate.Spread
    private let lines: [String]

    private enum CodingKeys: String, CodingKey {
        case evaluationsPerSecond, evaluationsSpread, decodingsPerSecond, decodingsSpread, signaturesPerSecond
        case signaturesSpread, encryptionsPerSecond, encryptionsSpread
    }

    init(evaluations: Rate, decodings: Rate, signatures: Rate, encryptions: Rate) {
        evaluationsPerSecond = evaluations.median
        evaluationsSpread = evaluations.spread
        decodingsPerSecond = decodings.median
        decodingsSpread = decodings.spread
        signaturesPerSecond = signatures.median
        signaturesSpread = signatures.spread
        encryptionsPerSecond = encryptions.median
        encryptionsSpread = encryptions.spread
        lines = [
            "One core, in its own processor time: median (slowest to fastest repetition)",
            "  decisions of one value for one person      \(evaluations.text)",
            "  payloads of nine parameters decoded        \(decodings.text)",
            "  webhooks of \(SigningWork.bodyBytes) bytes signed              \(signatures.text)",
            "  messages of \(EncryptionWork.textBytes) bytes encrypted to browsers \(encryptions.text)",
        ]
    }

    var text: String { lines.joined(separator: "\n") }
}
