import Postgres
import Routes
import Store

extension Export {
    /// Writes the account's zones, which are few.
    func writeZones(to writer: inout any BodyWriter) async throws {
        var zones = try await page { transaction, account in try transaction.execute(ExportZones(of: account)) }
        try await writeList("zones", to: &writer) {
            defer { zones = [] }
            return zones
        }
    }

    /// Writes the account's plans with the tanks on them, and each picture as a file. Memory holds one picture at a time.
    func writePlans(to writer: inout any BodyWriter) async throws {
        let plans = try await page { transaction, account in try transaction.execute(ExportPlans(of: account)) }
        var rest = plans.map(\.json)
        try await writeList("plans", to: &writer) {
            defer { rest = [] }
            return rest
        }
        for plan in plans {
            // A picture that was taken away meanwhile is left out.
            guard
                let read = try await page({ transaction, _ in try transaction.execute(ReadPlanPicture(of: plan.id)) })
                    .first
            else { continue }
            let type = ImageType(rawValue: read.type)?.fileExtension ?? "bin"
            try await writer.write(archive.begin("plans/\(plan.id).\(type)"))
            try await writer.write(archive.add(read.content))
            try await writer.write(archive.end())
        }
    }
}
