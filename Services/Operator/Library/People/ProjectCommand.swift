import ArgumentParser
import Instants
import Postgres
import Store
import WaterQuality

/// `aqua project`
struct ProjectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "project", abstract: "Projects: devices that several people keep together.",
        subcommands: [ProjectList.self, ProjectShow.self])
}

/// `aqua project list`
struct ProjectList: OperatorCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists the projects.")

    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let report = try await context.withDatabase { connection in
            ProjectsReport(projects: try await connection.execute(FindProjects(only: nil)).map(ProjectReport.init))
        }
        try context.console.show(report, output)
    }
}

/// `aqua project show`
struct ProjectShow: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows who takes part in a project.",
        discussion: "Example:  aqua project show 42")

    @Argument(help: "The project's id, as aqua project list shows it.")
    var project: Int64
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let report = try await context.withDatabase { connection in
            let id = Account.ID(rawValue: project)
            guard let found = try await connection.execute(FindProjects(only: id)).first else {
                throw OperatorError(.notFound, "There is no project \(project). aqua project list shows all.")
            }
            return ProjectMembersReport(
                project: ProjectReport(found),
                members: try await connection.execute(FindProjectMembers(of: id)).map {
                    .init(
                        email: $0.email, role: $0.role.rawValue, since: $0.joinedAt.iso8601Milliseconds,
                        until: $0.until?.iso8601Milliseconds)
                })
        }
        try context.console.show(report, output)
    }
}

struct ProjectReport: Encodable, Sendable {
    var id: Int64
    var name: String
    var devices: Int64
    var members: Int64
    var createdAt: String

    init(_ row: FindProjects.Row) {
        id = row.project.rawValue
        name = row.name
        devices = row.devices
        members = row.members
        createdAt = row.createdAt.iso8601Milliseconds
    }

    var text: String { "\(id)  \(name)  devices: \(devices), members: \(members), since \(createdAt)" }
}

struct ProjectsReport: Report {
    var projects: [ProjectReport]

    var text: String { projects.isEmpty ? "There are no projects." : projects.map(\.text).joined(separator: "\n") }
}

struct ProjectMembersReport: Report {
    struct Member: Encodable, Sendable {
        var email: String
        var role: String
        var since: String
        var until: String?
    }

    var project: ProjectReport
    var members: [Member]

    var text: String {
        ([project.text]
            + members.map { "\($0.role)  \($0.email)  since \($0.since)" + ($0.until.map { ", until \($0)" } ?? "") })
            .joined(separator: "\n")
    }
}
