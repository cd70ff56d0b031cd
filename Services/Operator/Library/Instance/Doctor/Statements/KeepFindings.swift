import FoundationEssentials
import Postgres

/// Keeps what the doctor found, for the operators in the app. The former findings go.
struct KeepFindings: Statement {
    static let sql = "UPDATE operation SET looked_at = now(), findings = $1::jsonb"

    /// A JSON list of what has room; what is wrong comes first.
    let findings: String

    /// The most bytes that are kept, which with PostgreSQL's blanks is less than the table takes, and the most characters of each text.
    static let most = 200_000
    private static let longest = 400

    init(_ findings: [Finding]) throws {
        let encoder = JSONEncoder()
        var kept: [String] = []
        var bytes = 0
        for finding in findings.filter({ $0.status == .wrong }) + findings.filter({ $0.status != .wrong }) {
            let short = Finding(
                topic: finding.topic, status: finding.status, finding: Self.cut(finding.finding),
                mend: finding.mend.map(Self.cut))
            let text = String(decoding: try encoder.encode(short), as: UTF8.self)
            bytes += text.utf8.count + 1
            guard bytes <= Self.most else { break }
            kept.append(text)
        }
        self.findings = "[" + kept.joined(separator: ",") + "]"
    }

    /// PostgreSQL's JSON has no NUL.
    private static func cut(_ text: String) -> String {
        let scalars = text.unicodeScalars.filter { $0 != "\0" }
        let kept = String(String.UnicodeScalarView(scalars.prefix(longest)))
        return scalars.count > longest ? kept + "…" : kept
    }

    func bind(_ parameters: inout Parameters) { parameters.append(findings) }
}
