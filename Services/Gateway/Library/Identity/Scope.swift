import HTTPTypes
package import Postgres
package import PublicHTTP
import Routes
import Store
import Synchronization
package import WaterQuality
package import Words

/// The context of a request's work: whose rows it sees, in which language it answers, under which id it is logged.
///
/// A person's statements run in transactions that begin by naming the person, by the session or the token that the
/// request came with. Row-level security in the database shows these transactions that person's rows and no others.
package struct Scope: Sendable {
    package let services: GatewayServices
    package let requestID: String
    package let address: ClientAddress
    /// The client's own name, cut to a length that people read.
    let client: String
    let credential: Credential
    /// The access that the route requires.
    let access: Access
    /// For whom the request acts beside the person.
    private(set) var acting: Acting
    /// The language that `Accept-Language` asks for.
    let wished: Language?
    /// The claim of a creation whose answer a repeat is to find; nil where the client named no key.
    var claim: CreationClaim?
    private let heard = Heard()

    init(
        services: GatewayServices, requestID: String, address: ClientAddress, client: String, credential: Credential,
        access: Access, acting: Acting, wished: Language?
    ) {
        self.services = services
        self.requestID = requestID
        self.address = address
        self.client = client
        self.credential = credential
        self.access = access
        self.acting = acting
        self.wished = wished
    }

    /// The language of answers: what the request asks for, otherwise the person's own once that is known.
    package var language: Language { wished ?? heard.language.withLock { $0 } ?? .en }

    /// The same work for a project, as its owner or administrator.
    func acting(for project: Account.ID) -> Scope {
        var scope = self
        scope.acting = .project(project)
        return scope
    }

    /// Runs `body` as the person who calls, or as the project for which they act; again from its beginning where the server undid it for a deadlock.
    /// - Throws: `Problem(.unauthenticated)` when the session or the token has ended, `Problem(.insufficientScope)`
    ///   when the token may not do what the route does, `Problem(.passwordNeeded)` when the password is needed once
    ///   more, `Problem(.notFound)` and `Problem(.administratorsOnly)` for a project for which the person may not act,
    ///   `Problem(.unavailable)` while the database is away.
    package func transaction<T: Sendable>(
        _ options: TransactionOptions = TransactionOptions(), file: String = #fileID, line: UInt = #line,
        _ body: @Sendable (PostgresTransaction, Account.ID) throws -> T
    ) async throws -> T {
        try await anonymousTransaction(options, file: file, line: line) { transaction in
            try body(transaction, try enter(transaction))
        }
    }

    /// The account of the caller.
    func person() async throws -> Account.ID {
        try await transaction(TransactionOptions(isReadOnly: true)) { _, account in account }
    }

    /// Runs `body` as nobody, whom row-level security shows no rows: for database functions that check a secret
    /// themselves. The log says of which request it was, where the transaction may change something.
    package func anonymousTransaction<T: Sendable>(
        _ options: TransactionOptions = TransactionOptions(), file: String = #fileID, line: UInt = #line,
        _ body: @Sendable (PostgresTransaction) throws -> T
    ) async throws -> T {
        guard services.pool.openCount > 0 else { throw Problem.pause }
        for _ in 1..<Self.mostTries {
            do {
                return try await named(options, file, line, body)
            } catch let error as PostgresError where error.code == .deadlock {
                // Undone by the server, so that a transaction that waited for this one can go on: for instance when two
                // people who share devices close their accounts at once.
                continue
            }
        }
        return try await named(options, file, line, body)
    }

    private func named<T: Sendable>(
        _ options: TransactionOptions, _ file: String, _ line: UInt,
        _ body: @Sendable (PostgresTransaction) throws -> T
    ) async throws -> T {
        try await services.pool.transaction(options, file: file, line: line) { transaction in
            if !options.isReadOnly {
                try transaction.perform(NameRequest(id: requestID, network: network, client: client))
            }
            return try body(transaction)
        }
    }

    /// Attempts at a transaction that ends in deadlocks.
    private static let mostTries = 5

    private func enter(_ transaction: PostgresTransaction) throws -> Account.ID {
        switch credential {
        case .nobody: throw Problem.signIn
        case .session(let id):
            guard let person = try transaction.execute(EnterSession(id)).first else { throw Problem.invalidToken }
            let account = found(person.account, person.locale)
            if access.mayMake { try name(id, transaction) }
            guard case .project(let project) = acting else { return account }
            return try enter(project, transaction)
        case .personalToken(let hash):
            guard let person = try transaction.execute(EnterToken(hash: hash)).first else { throw Problem.invalidToken }
            guard access.isGranted(person.scope) else { throw Problem(.insufficientScope) }
            switch acting {
            case .anybody: break
            // A token acts for the one whose it is, and for nobody else.
            case .project: throw Problem(.insufficientScope)
            case .oneself:
                guard try transaction.execute(IsProject(person.account)).first != true else {
                    throw Problem(.notForProjects)
                }
            }
            return found(person.account, person.locale)
        }
    }

    /// Has the rest of the transaction act for a project.
    private func enter(_ project: Account.ID, _ transaction: PostgresTransaction) throws -> Account.ID {
        switch try transaction.execute(ActForProject(project))[0] {
        case .known(.owner), .known(.administrator): return project
        case nil: throw Problem(.notFound)
        case .known, .other: throw Problem(.administratorsOnly)
        }
    }

    /// Requires that the password was given lately where the route takes it, before anything of the route happens and
    /// whatever its inputs are.
    /// - Throws: As `transaction`.
    func requireProof() async throws {
        guard access == .fresh else { return }
        try await transaction(TransactionOptions(isReadOnly: true)) { _, _ in }
    }

    /// Requires that the password was given lately, for what takes it only with some inputs of a route.
    /// - Throws: `Problem(.passwordNeeded)`; `Problem(.insufficientScope)` for a personal token, which has no password.
    func requireProof(in transaction: PostgresTransaction) throws {
        guard case .session(let id) = credential else { throw Problem(.insufficientScope) }
        guard try isFresh(id, transaction) else { throw Problem.passwordNeeded }
    }

    /// Names the session in which the transaction makes things.
    /// - Throws: `Problem(.passwordNeeded)` where the route takes the password, and it was not given lately.
    private func name(_ session: SessionID, _ transaction: PostgresTransaction) throws {
        let isFresh = try isFresh(session, transaction)
        guard access != .fresh || isFresh else { throw Problem.passwordNeeded }
    }

    private func isFresh(_ session: SessionID, _ transaction: PostgresTransaction) throws -> Bool {
        try transaction.execute(NameSession(session)).first == true
    }

    private func found(_ account: Account.ID, _ locale: String) -> Account.ID {
        heard.language.withLock { $0 = Language(locale: locale) }
        return account
    }

    private final class Heard: Sendable {
        let language = Mutex<Language?>(nil)
    }
}

extension Access {
    /// A scope that only a newer version knows grants nothing here.
    fileprivate func isGranted(_ scope: Word<TokenScope>) -> Bool {
        guard let scope = scope.known else { return self == .anyone }
        return switch self {
        case .anyone, .readSamples: true
        case .read: scope == .read || scope == .write
        case .write: scope == .write
        case .receiveSamples: scope != .writeSamples
        case .writeSamples: scope == .write || scope == .writeSamples
        case .session, .fresh: false
        }
    }
}

extension Problem {
    /// 401, with the scheme that would help (RFC 6750).
    static let signIn = Problem(.unauthenticated, headers: [.wwwAuthenticate: "Bearer"])
}
