import HTTPTypes
import Routes
import ServiceKit

/// Refuses requests that another site makes a person's browser send, for the routes that take a cookie.
///
/// Browsers say where a request comes from in `Sec-Fetch-Site`, older ones in `Origin`; a program outside of a browser
/// says neither, and carries no cookie that it was not given.
/// - Throws: `Problem(.crossOrigin)`.
func requireSameOrigin(_ headers: HTTPFields, _ origin: PublicOrigin) throws(Problem) {
    if let site = headers[.secFetchSite] {
        guard site == "same-origin" || site == "none" else { throw Problem(.crossOrigin) }
    } else if let sender = headers[.origin] {
        guard sender.lowercased() == origin.text else { throw Problem(.crossOrigin) }
    }
}
