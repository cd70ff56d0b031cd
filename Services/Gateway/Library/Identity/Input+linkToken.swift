import Routes
import Secrets

extension Input {
    /// The secret of a link, in the body, because URLs are written to logs.
    static func linkToken<Kind>() -> Input where Value == OpaqueToken<Kind> {
        .field("token", .linkToken(), "The secret of the link: what follows its #.")
    }

    /// The same where something else may stand in the place of a link.
    static func optionalLinkToken<Kind>() -> Input where Value == OpaqueToken<Kind>? {
        .optionalField("token", .linkToken(), "The secret of the link: what follows its #.")
    }
}

extension Format {
    fileprivate static func linkToken<Kind>() -> Format where Value == OpaqueToken<Kind> {
        Format<String>.secret(1...128).map { (text: String) throws(Fault) -> OpaqueToken<Kind> in
            guard let token = OpaqueToken<Kind>(text) else { throw .pattern }
            return token
        }
    }
}
