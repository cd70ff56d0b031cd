import Postgres

/// Names who uses the tool, for the audit log: as the system calls them.
struct NameOperator: Statement {
    static let sql = "SELECT set_config('aqua.operator', $1, false)"
    let name: String

    init(_ environment: OperatorEnvironment) {
        let names = ["SUDO_USER", "USER", "LOGNAME"].compactMap { environment.variables[$0] }
        name = names.first { !$0.isEmpty } ?? ""
    }

    func bind(_ parameters: inout Parameters) { parameters.append(name) }
}
