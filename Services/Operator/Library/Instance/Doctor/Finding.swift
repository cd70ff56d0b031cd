/// A finding of the doctor's.
struct Finding: Encodable, Hashable, Sendable {
    enum Status: String, Encodable {
        case ok
        /// Worth knowing, but not a fault.
        case notice
        /// Not checked, because something else is missing.
        case skipped
        case wrong
    }

    /// The part of the instance: `configuration`, `certificates`, `database`, `replication`, `roles`, `broker`, `gateway`, `mail`,
    /// `flow`, `people`, `upkeep`, `disk`, `backup`, `canary`.
    var topic: String
    var status: Status
    /// The finding in words; never a secret.
    var finding: String
    /// The remedy.
    var mend: String?

    static func ok(_ topic: String, _ finding: String) -> Finding {
        Finding(topic: topic, status: .ok, finding: finding)
    }

    static func notice(_ topic: String, _ finding: String, mend: String? = nil) -> Finding {
        Finding(topic: topic, status: .notice, finding: finding, mend: mend)
    }

    static func skipped(_ topic: String, _ finding: String) -> Finding {
        Finding(topic: topic, status: .skipped, finding: finding)
    }

    static func wrong(_ topic: String, _ finding: String, mend: String) -> Finding {
        Finding(topic: topic, status: .wrong, finding: finding, mend: mend)
    }
}

/// All findings, in the order in which they were made.
struct DoctorReport: Report {
    var findings: [Finding]
    var wrong: Int

    init(_ findings: [Finding]) {
        self.findings = findings
        wrong = findings.count { $0.status == .wrong }
    }

    var text: String {
        var lines: [String] = []
        for finding in findings {
            let status = finding.status.rawValue
            lines.append(
                "\(status)\(String(repeating: " ", count: 9 - status.count))\(finding.topic): \(finding.finding)")
            if let mend = finding.mend { lines.append("         -> \(mend)") }
        }
        lines.append(
            wrong == 0 ? "Nothing is wrong." : wrong == 1 ? "One thing is wrong." : "\(wrong) things are wrong.")
        return lines.joined(separator: "\n")
    }
}
