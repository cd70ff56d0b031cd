import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

extension SessionRoutes {
    private static let password = Input.field("password", Format<String>.password, "The person's password.")

    static let prove = Route<Caller>(
        .post, "/sessions/proof", id: "proveSession", tag: tag, access: .session, "Give the password again",
        text: """
            For the next ten minutes the session may do what outlives it: unlink devices, invite people to watch them, say where alerts \
            go, make tokens. Signing in counts as well. Whatever answers password-needed can be asked again after this.
            """,
        inputs: [password], answers: .nothing, problems: [.wrongPassword, .passwordsOff, .unavailable],
        limit: .credentials
    ) { caller, inputs in
        let person = try await caller.confirm(inputs[password])
        guard let session = caller.session, let checkedHash = person.checkedHash else { throw Problem.invalidToken }
        let isProven = try await caller.scope.transaction { transaction, account in
            try transaction.execute(ProveSession(account, session, checkedHash: checkedHash)).first
        }
        // The password was changed at this very moment.
        guard isProven == true else { throw Problem(.wrongPassword) }
        return .nothing
    }
}
