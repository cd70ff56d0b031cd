import Postgres
import Routes
import Store
import WaterQuality

/// Inputs of all routes that are about a project.
enum ProjectInputs {
    static let project = Input.path("project", .projectID, "The id of the project.")
    static let member = Input.path("member", .ownershipID, "The id of the member.")
}

extension PostgresTransaction {
    /// A project in which whoever acts takes part.
    /// - Throws: `Problem(.notFound)`, for an unknown project as for one in which they do not.
    func project(_ id: Account.ID) throws -> PersonProject {
        guard let project = try execute(FindProject(id)).first else { throw Problem(.notFound) }
        return project
    }
}
