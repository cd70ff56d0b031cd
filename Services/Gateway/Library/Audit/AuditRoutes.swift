import HTTPTypes
import People
import Postgres
import Routes
import Store
import WaterQuality
import Words

/// Routes of the audit log: what was changed, by whom.
enum AuditRoutes {
    static let all = [list, export]
    static let tag = API<Caller>.Tag(
        "Audit", "What changed rights, limits, ways, devices and the account, by whom. Nothing in it is ever changed.")

    static let device = Input<Device.HardwareID?>.optionalQuery(
        "device", .hardwareID, "Only what concerns this device.")
    static let action = Input<String?>.optionalQuery(
        "action",
        .reading("action", example: "limit.change", count: 1...64, pattern: "^[a-zA-Z.]+$") { text throws(Fault) in
            guard text.utf8.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) || $0 == 0x2E }) else { throw .pattern }
            return text
        }, "Only this action, or all of this noun, such as limit.")
    private static let limit = Input<Int>.limit(1...200, default: 50)
    private static let cursor = Input.cursor(of: "listAudit", Int64.self)

    private static let list = Route<Caller>(
        .get, "/audit", id: "listAudit", tag: tag.name, access: .session, "List what was changed, newest first",
        text: """
            Acts on the person's own account, limits, ways and devices, whoever did them; and of watchers of devices that the \
            person owned by then what concerns the sharing: coming and going, answers to alarms, work on the water. Others' own \
            limits are not in it. Refusals of requests to change something and wrong passwords are listed, too. Entries are kept \
            for 400 days, where the operator has not chosen otherwise. The filters of the first page have to be given again with \
            each cursor.
            """,
        inputs: [device, action, cursor, limit], answers: .json(.ok, .page(of: .auditEntry))
    ) { caller, inputs in
        let (limit, before) = (inputs[limit], inputs[cursor])
        let filter = PageAudit.Filter(device: inputs[device], action: inputs[action])
        let rows = try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            try transaction.execute(PageAudit(before: before, filter, limit: limit + 1))
        }
        return .value(Page(rows, limit: limit, of: "listAudit", key: \.entry.number))
    }

    private static let pageSize = 500

    private static let export = Route<Caller>(
        .get, "/audit.csv", id: "exportAudit", tag: tag.name, access: .session, "Export what was changed",
        text: """
            CSV (RFC 4180): a line for each entry, newest first, times in UTC, changes as JSON: each field with its value before and \
            after. It is sent while it is read; an answer that breaks off is not complete.
            """,
        inputs: [device, action], answers: .stream("text/csv", "The table."), limit: .heavy,
        handle: { caller, inputs in
            let scope = caller.scope
            let account = try await scope.person()
            let filter = PageAudit.Filter(device: inputs[device], action: inputs[action])
            let job = try scope.services.heavy.job(of: account)
            return .stream(headers: [
                .contentType: "text/csv; charset=utf-8; header=present",
                .contentDisposition: "attachment; filename=\"\(Brand.current.filePrefix)audit.csv\"",
            ]) { writer in
                try await writer.write(Array((CSV.line(AuditEntry.tableColumns) + "\r\n").utf8))
                var before: Int64?
                var isRead = false
                while !isRead {
                    let last = before
                    let rows = try await job.turn {
                        try await scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
                            try transaction.execute(PageAudit(before: last, filter, limit: pageSize))
                        }
                    }
                    let text = rows.map { CSV.line($0.entry.cells) + "\r\n" }
                    if !text.isEmpty { try await writer.write(Array(text.joined().utf8)) }
                    before = rows.last?.entry.number
                    isRead = rows.count < pageSize
                }
            }
        })
}
