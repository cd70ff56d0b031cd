import ArgumentParser
import FoundationEssentials
import Instants
import People
import Postgres
import Store
import WaterQuality

/// `aqua audit`
struct AuditCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Shows what changed rights, limits, ways, devices and accounts, and by whom.",
        discussion: """
            Oldest first, times in UTC, limits in the parameter's canonical unit. Each change stands with what was before and \
            after, without secrets. Nothing in the log can be changed; a closed account leaves its entries in others' logs under \
            a word that stands for it.

            Example:  aqua audit --device pond-1 --action limit --since 30d
                      aqua audit --since 400d --csv > audit.csv
            Actions:  \(AuditAction.allCases.map(\.rawValue).joined(separator: ", "))
            """)

    @Option(help: "Only what concerns this person, or was done by them.", transform: EmailAddress.init(argument:))
    var account: EmailAddress?
    @Option(help: "Only what concerns this device.", transform: Device.HardwareID.init(argument:))
    var device: Device.HardwareID?
    @Option(help: "Only this action, or all of this noun, such as limit.", transform: AuditCommand.noun)
    var action: String?
    @Option(
        help: "From when on: 2026-05-01T12:00:00Z, or so long ago, such as 30d. (default: 24h)", transform: Since.init)
    var since: Since?
    @Flag(help: "How to print it.")
    var form = Form.text

    enum Form: EnumerableFlag {
        case text
        /// JSON, an object a line.
        case ndjson
        case csv

        static func help(for form: Form) -> ArgumentHelp? {
            switch form {
            case .text: "A table for people."
            case .ndjson: "A JSON object a line."
            case .csv: "CSV (RFC 4180)."
            }
        }
    }

    /// Entries read at once: memory holds no more of them.
    private static let pageSize = 1_000

    func run(in context: OperatorContext) async throws {
        let start = (since ?? .ago(.seconds(86_400))).time(at: context.clock.now())
        try await context.withDatabase { connection in
            var account: Account.ID?
            if let email = self.account { account = try await connection.account(of: email) }
            let filter = ListAudit.Filter(since: start, account: account, device: device, action: action)
            if form == .csv { try context.console.print(CSV.line(AuditEntry.tableColumns + ["account"])) }
            var after: Int64 = 0
            var isRead = false
            while !isRead {
                let page = ListAudit(after: after, filter: filter, limit: Int64(Self.pageSize))
                let rows = try await connection.execute(page)
                isRead = rows.count < Self.pageSize
                if form == .text, after == 0, rows.isEmpty {
                    try context.console.print("Nothing since \(start.iso8601).")
                }
                after = rows.last?.entry.number ?? after
                if !rows.isEmpty { try context.console.print(rows.map(text(of:)).joined(separator: "\n")) }
            }
        }
    }

    private func text(of row: ListAudit.Row) throws -> String {
        switch form {
        case .csv: return CSV.line(row.entry.cells + [row.account ?? ""])
        case .ndjson:
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let cells = zip(AuditEntry.tableColumns + ["account"], row.entry.cells + [row.account ?? ""])
            return String(
                decoding: try encoder.encode(
                    Dictionary(cells.filter { !$1.isEmpty }.map { ($0, $1) }, uniquingKeysWith: { first, _ in first })),
                as: UTF8.self)
        case .text: return AuditLine(row).text
        }
    }

    private static func noun(_ argument: String) throws -> String {
        let nouns = AuditAction.allCases.map { $0.rawValue.prefix { $0 != "." } }
        guard AuditAction(rawValue: argument) != nil || nouns.contains(argument[...]) else {
            throw OperatorError(.invalidInput, "There is no action \(argument). aqua audit --help lists them.")
        }
        return argument
    }
}

/// An entry in a line for people.
private struct AuditLine {
    let row: ListAudit.Row

    init(_ row: ListAudit.Row) { self.row = row }

    var text: String {
        let entry = row.entry
        let refused = entry.outcome == "refused" ? " REFUSED" + (entry.times > 1 ? " (\(entry.times) times)" : "") : ""
        let by = [entry.actor.rawValue, entry.actorName].compactMap(\.self).joined(separator: " ")
        let what = [entry.device, entry.parameter?.name, entry.subject, entry.changes].compactMap(\.self)
        let place = [entry.network, row.account.map { "of \($0)" }].compactMap(\.self)
        return ([entry.at.iso8601, entry.action.rawValue + refused, "by \(by)"] + place + what).joined(separator: "  ")
    }
}
