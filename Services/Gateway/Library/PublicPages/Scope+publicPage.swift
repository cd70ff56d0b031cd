import Routes
import Secrets
import Store

extension Scope {
    /// The public page with a secret, which is made anew every half a minute at most.
    /// - Throws: `Problem(.notFound)` for what was withdrawn and what never was, which take as long.
    func publicPage(_ secret: String) async throws -> PublicPage {
        // Texts that are no secrets are looked up all the same, so that nothing is learned from how long that takes.
        let hash = PublicPageToken(secret)?.hash ?? [UInt8](repeating: 0, count: 32)
        let found = try await evenly(services.settings.beat / 4) {
            try await services.publicPages.page(hash) {
                try await anonymousTransaction(SeriesRequest.transaction) { transaction in
                    try PublicPage.read(hash, in: transaction)
                }
            }
        }
        guard let found else { throw Problem(.notFound) }
        return found
    }
}
