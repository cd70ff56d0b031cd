package import Postgres
package import Routes
import Store
import Synchronization
package import WaterQuality

/// Within what a request does its work: whose rows it sees, in which language it answers, under which id it is logged.
///
/// A person's statements run in transactions that begin by naming the person, by the session or the token that the
/// request came with. Row-level security in the database shows these transactions that person's rows and no others.
package struct Scope: Sendable {
    package let services: GatewayServices
    package let requestID: String
    package let address: ClientAddress
    let credential: Credential
    /// What the route needs of the caller.
    let access: Access
    /// What the request asks for in `Accept-Language`.
    let wished: Tongue?
    private let found = Found()

    init(
        services: GatewayServices, requestID: String, address: ClientAddress, credential: Credential, access: Access,
        wished: Tongue?
    ) {
        self.services = services
        self.requestID = requestID
        self.address = address
        self.credential = credential
        self.access = access
        self.wished = wished
    }

    /// The language of answers: what the request asks for, otherwise the person's own once that is known.
    package var tongue: Tongue { wished ?? found.tongue.withLock { $0 } ?? .en }

    /// Runs `body` as the person who calls.
    /// - Throws: `Problem(.unauthenticated)` when the session or the token has ended, `Problem(.insufficientScope)` when
    ///   the token may not do what the route does, `Problem(.unavailable)` while the database is away.
    package func transaction<T: Sendable>(
        _ options: TransactionOptions = TransactionOptions(), file: String = #fileID, line: UInt = #line,
        _ body: @Sendable (PostgresTransaction, Account.ID) throws -> T
    ) async throws -> T {
        try await anonymousTransaction(options, file: file, line: line) { transaction in
            try body(transaction, try enter(transaction))
        }
    }

    /// Runs `body` as nobody, whom row-level security shows no rows: for the functions that check a secret themselves.
    package func anonymousTransaction<T: Sendable>(
        _ options: TransactionOptions = TransactionOptions(), file: String = #fileID, line: UInt = #line,
        _ body: @Sendable (PostgresTransaction) throws -> T
    ) async throws -> T {
        guard services.pool.openCount > 0 else { throw Problem.pause }
        return try await services.pool.transaction(options, file: file, line: line, body)
    }

    private func enter(_ transaction: PostgresTransaction) throws -> Account.ID {
        let person: EnteredPerson?
        switch credential {
        case .nobody: person = nil
        case .session(let id): person = try transaction.execute(EnterSession(session: id)).first
        case .personalToken(let hash): person = try transaction.execute(EnterToken(hash: hash)).first
        }
        guard let person else { throw Problem.invalidToken }
        guard access.isGranted(mayWrite: person.mayWrite) else { throw Problem(.insufficientScope) }
        found.tongue.withLock { $0 = Tongue(rawValue: person.language.rawValue) }
        return person.account
    }

    private final class Found: Sendable {
        let tongue = Mutex<Tongue?>(nil)
    }
}

extension Access {
    fileprivate func isGranted(mayWrite: Bool) -> Bool {
        switch self {
        case .anyone, .read: true
        case .write, .session: mayWrite
        }
    }
}

extension Problem {
    /// 401, with the scheme that would help (RFC 6750).
    static let signIn = Problem(.unauthenticated, headers: [.wwwAuthenticate: "Bearer"])
}
