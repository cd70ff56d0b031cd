import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of samples as tables: what the person sees, and what a project received.
enum FieldTableRoutes {
    static let all = [own, received].forProjects()

    private static let kind = Input.query(
        "kind", .choice(FieldTables.Kind.self), default: .surveys, "What a line is of.")
    private static let device = Input<Device.HardwareID?>.optionalQuery(
        "device", .hardwareID, "Only of this device or place.")
    private static let organization = Input<String?>.optionalQuery(
        "organization", Format<String>.visibleText(1...30, example: "WATERBOARD"),
        "Of wqx: the id at WQX of the organization whose methods a protocol's fields name. Without it methods stand in the comment."
    )

    private static let study = Input<String?>.optionalQuery(
        "study", Format<String>.visibleText(1...35, example: "LAKES-2026"),
        "Of wqx: the id of the project at WQX, where it is not the protocol's.")

    private static let own = Route<Caller>(
        .get, "/field-samples.csv", id: "exportFieldSamples", tag: FieldSampleRoutes.tag, access: .readSamples,
        "Export samples as a table", text: "The last changes first. \(text)",
        inputs: [kind, device, study, organization],
        answers: .stream("text/csv", "The table."), problems: [.wqxIncomplete], limit: .heavy,
        handle: { caller, inputs in
            try await table(inputs[kind], of: .own(inputs[device]), names(inputs), named: "field", caller)
        })

    private static let received = Route<Caller>(
        .get, "/field-samples/received.csv", id: "exportReceivedSamples", tag: FieldSampleRoutes.tag,
        access: .receiveSamples, "Export the samples that a project received as a table",
        text: "The newest version of each that is not withdrawn, in the order in which they came. \(text)",
        inputs: [kind, device, study, organization], answers: .stream("text/csv", "The table."),
        problems: [.wqxIncomplete], limit: .heavy,
        handle: { caller, inputs in
            try await table(inputs[kind], of: .received(inputs[device]), names(inputs), named: "received", caller)
        })

    private static func names(_ inputs: Inputs) -> WQXNames {
        WQXNames(study: inputs[study], organization: inputs[organization])
    }

    private static let text = """
        CSV (RFC 4180), times in UTC. Lines of surveys are samples with their circumstances; of samples a sample, or one of its stations or depths; of \
        values one value, of a class with its bounds, of what could not be told with the qualifier < or >; of tracks a point. Lines of one sample have \
        the same survey. It is sent while it is read; an answer that breaks off is not complete. A sample that is changed meanwhile may be missing \
        among one's own; among those received it may come twice, of which the later lines count.

        Lines of wqx are the results of finished samples, with the heads of the EPA's template for WQX Web; what is no result stands in the activity's \
        comment, and a sample without any has no line. Before the first line all samples are checked: where one lacks an element that WQX requires, \
        such as a position, nothing is sent, and \
        the answer names the first \(mostFaults) lines with their elements.
        """

    /// Most faults that one answer names.
    private static let mostFaults = 100

    private static func table(
        _ kind: FieldTables.Kind, of source: FieldSource, _ names: WQXNames, named name: String, _ caller: Caller
    ) async throws -> Answer<Nothing> {
        let scope = caller.scope
        let account = try await scope.transaction(TransactionOptions(isReadOnly: true)) { _, account in account }
        let job = try scope.services.heavy.job(of: account)
        if kind == .wqx { try await checkResults(of: source, names, scope, job) }
        return .stream(headers: [
            .contentType: "text/csv; charset=utf-8; header=present",
            .contentDisposition: "attachment; filename=\"\(name)-\(kind.rawValue).csv\"",
        ]) { writer in
            try await writer.write(Array((kind.columns.joined(separator: ",") + "\r\n").utf8))
            var place: FieldSource.Place? = .beginning
            while let from = place {
                let page = try await job.turn {
                    try await scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
                        try source.page(from: from, for: kind, in: transaction)
                    }
                }
                // A fault that came since the check was made breaks the answer off, rather than being left out.
                let faults = kind == .wqx ? page.rows.flatMap { $0.faults(names) } : []
                guard faults.isEmpty else { throw Problem(.wqxIncomplete) }
                let lines = page.rows.flatMap { FieldTables.lines(kind, of: $0, names) }
                if !lines.isEmpty {
                    try await writer.write(Array(lines.map { $0.joined(separator: ",") + "\r\n" }.joined().utf8))
                }
                place = page.next
            }
        }
    }

    /// Reads all samples for what WQX would refuse of them.
    /// - Throws: `Problem(.wqxIncomplete)` with the first faults: of which line below the heads, sample and field, and which element.
    private static func checkResults(
        of source: FieldSource, _ names: WQXNames, _ scope: Scope, _ job: HeavyWork.Job
    ) async throws {
        var place: FieldSource.Place? = .beginning
        var (line, faults): (Int64, [JSON]) = (0, [])
        while let from = place, faults.count < mostFaults {
            let page = try await job.turn {
                try await scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
                    try source.page(from: from, for: .wqx, in: transaction)
                }
            }
            for row in page.rows {
                for result in row.results(names) {
                    line += 1
                    faults += result.faults.map { fault in
                        [
                            "line": .integer(line), "sample": .string("\(row.stored.id)"),
                            "device": .string(row.stored.hardwareID),
                            "field": result.field.map { .string($0) } ?? .null,
                            "element": .string(fault.element.rawValue), "reason": .string(fault.reason.rawValue),
                        ]
                    }
                }
            }
            place = page.next
        }
        guard faults.isEmpty else {
            throw Problem(.wqxIncomplete, parameters: [.init("lines", .array(Array(faults.prefix(mostFaults))))])
        }
    }
}

/// The names at WQX under which results are reported.
struct WQXNames: Sendable {
    var study: String?
    var organization: String?
}

extension FieldRow {
    /// The lines of WQX's table of the sample.
    func results(_ names: WQXNames) -> [WQXLine] {
        let none = FieldProtocol(
            id: stored.sample.protocolID, version: stored.sample.protocolVersion, name: .own(""), help: nil,
            stations: 0, hasDepths: false, fields: [])
        let status: WQXTable.Status =
            switch stored.review?.verdict {
            case .approved: .accepted
            case .rejected: .rejected
            case .hasIssues, nil: .preliminary
            }
        return WQXTable.lines(
            of: stored.sample, id: "\(stored.id)", by: sampling ?? none, at: place, status: status,
            project: names.study, organization: names.organization, means: stored.means)
    }

    fileprivate func faults(_ names: WQXNames) -> [WQXFault] {
        results(names).flatMap(\.faults)
    }
}

extension ProblemType {
    fileprivate static let wqxIncomplete = ProblemType("wqx-incomplete", .unprocessableContent)
}
