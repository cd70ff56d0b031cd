import FoundationEssentials
import Postgres

/// Keeps what the doctor found, for the operators in the app. The former findings go.
struct KeepFindings: Statement {
    static let sql = "UPDATE operation SET looked_at = now(), findings = $1::jsonb"

    private let findings: String

    /// The most findings that are kept, and the most characters of each text: together less than the table takes.
    private static let most = 200
    private static let longest = 400

    init(_ findings: [Finding]) throws {
        let kept = findings.prefix(Self.most).map { finding in
            Finding(
                topic: finding.topic, status: finding.status, finding: Self.cut(finding.finding),
                mend: finding.mend.map(Self.cut))
        }
        // PostgreSQL's JSON has no NUL.
        self.findings = String(decoding: try JSONEncoder().encode(kept), as: UTF8.self).replacing("\\u0000", with: "")
    }

    private static func cut(_ text: String) -> String {
        text.unicodeScalars.count > longest
            ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(longest))) + "…" : text
    }

    func bind(_ parameters: inout Parameters) { parameters.append(findings) }
}
