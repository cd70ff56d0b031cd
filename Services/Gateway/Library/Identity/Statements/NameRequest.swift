import Postgres

/// Names the request in which a transaction changes something, for the log of what it changes.
struct NameRequest: Statement {
    static let sql = """
        SELECT set_config('aqua.request', $1, true), set_config('aqua.network', $2, true), set_config('aqua.client', $3, true)
        """
    let id: String
    let network: String
    let client: String

    func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(network)
        parameters.append(client)
    }
}

/// Notes that the named person had no right to what a request was to change.
struct NoteRefusal: Statement {
    static let sql = "SELECT note_refusal($1, $2)"
    /// The id of the route.
    let route: String
    /// The code of the problem.
    let problem: String

    func bind(_ parameters: inout Parameters) {
        parameters.append(route)
        parameters.append(problem)
    }
}
