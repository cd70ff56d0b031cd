import Routes
import Secrets

extension Input {
    /// The secret of a link, in the body, because URLs are written to logs.
    static func linkToken<Kind>() -> Input where Value == OpaqueToken<Kind> {
        .field(
            "token",
            Format<String>.secret(1...128).map { (text: String) throws(Fault) -> OpaqueToken<Kind> in
                guard let token = OpaqueToken<Kind>(text) else { throw .pattern }
                return token
            }, "The secret of the link: what follows its #.")
    }
}
