import Postgres

/// Notes a wrong password, of an address that has an account or none.
struct NoteFailedSignIn: Statement {
    static let sql = "SELECT note_failed_sign_in($1, $2)"
    let email: String
    let client: String

    func bind(_ parameters: inout Parameters) {
        parameters.append(email)
        parameters.append(client)
    }
}
