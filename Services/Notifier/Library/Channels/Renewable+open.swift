import Secrets
import ServiceKit
import WaterQuality

extension Renewable<SecretKeys> {
    /// Opens a secret of an endpoint. One that none of the keys opens was sealed with one that the file holds since: it is read anew
    /// then.
    func open(
        _ sealed: SealedSecret, of endpoint: Destination, on channel: Endpoint.Channel
    ) throws(SealedSecret.CannotOpen) -> [UInt8] {
        let context = SealedSecret.Context.endpoint(channel: channel.rawValue, number: endpoint.id.rawValue)
        if let opened = try? current.open(sealed, for: context) { return opened.secret }
        return try renewed().open(sealed, for: context).secret
    }

    /// Opens the secret in use, with the address to send to, likewise.
    func openEndpoint(
        _ endpoint: Destination, on channel: Endpoint.Channel
    ) throws(SealedSecret.CannotOpen) -> (address: String, secret: [UInt8]) {
        let sealed = endpoint.secrets.first ?? SealedSecret(stored: [])
        let (name, number) = (channel.rawValue, endpoint.id.rawValue)
        let opened =
            if let opened = try? current.openEndpoint(sealed, channel: name, number: number) {
                opened.endpoint
            } else {
                try renewed().openEndpoint(sealed, channel: name, number: number).endpoint
            }
        return (opened.address ?? endpoint.target, opened.secret)
    }
}
