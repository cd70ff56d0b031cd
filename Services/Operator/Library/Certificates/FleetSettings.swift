import Glibc
import Secrets
import ServiceKit

/// Where the broker finds what it judges the fleet's certificates by, and where devices with one connect.
struct FleetSettings: Sendable {
    /// The directory of `AQUA_FLEET_TLS`. The broker reads it, so no key may ever be in it.
    let directory: String
    /// The listener of `AQUA_FLEET_URL`; nil where none is named.
    let listener: FleetListener?

    var authorityFile: String { "\(directory)/authority.pem" }
    var listFile: String { "\(directory)/revoked.pem" }

    /// The list that the broker is given now; nil where there is none that the authority signed.
    func list(of authority: Certificate) -> RevocationList? {
        guard let list = try? RevocationList(reading: TextFile.read(listFile)),
            (try? list.isSigned(by: authority)) == true
        else { return nil }
        return list
    }

    /// Hands the certificate of the authority to the broker.
    /// - Throws: `conflict` where the broker is given another authority's.
    func publish(_ authority: Certificate) throws {
        if let other = try? Certificate(reading: TextFile.read(authorityFile)), other != authority {
            throw OperatorError(
                .conflict,
                "\(authorityFile) is of another authority, whose certificates the broker would no longer accept. Move it away first."
            )
        }
        try DurableFile.write(authority.pem, to: authorityFile, mode: 0o644)
    }

    /// Hands a list to the broker.
    func publish(_ list: RevocationList) throws {
        try DurableFile.write(list.pem, to: listFile, mode: 0o644)
    }
}

extension ConfigurationReader {
    /// `AQUA_FLEET_TLS`, `AQUA_FLEET_URL` and `AQUA_MQTT_CA_FILE`; nil where the first is not set, and after a fault.
    func fleet() -> FleetSettings? {
        guard let directory = optionalString(.fleetTLS) else { return nil }
        guard access("\(directory)/", R_OK | X_OK) == 0 else {
            fault(.fleetTLS, "names no directory that can be read", remedy: "make that directory or correct the path")
            return nil
        }
        guard optionalString(.fleetURL) != nil else { return FleetSettings(directory: directory, listener: nil) }
        let addresses = brokerAddresses(.fleetURL)
        guard addresses.count == 1, addresses[0].usesTLS else {
            if !addresses[0].host.isEmpty { fault(.fleetURL, "is not one address that begins with mqtts://") }
            return nil
        }
        return FleetSettings(
            directory: directory,
            listener: FleetListener(
                address: HostAndPort(host: addresses[0].host, port: addresses[0].port),
                authorityFile: optionalFile(.mqttCAFile)))
    }
}

/// Small files of text.
enum TextFile {
    /// In bytes: a list of some hundred thousand certificates.
    private static let largest = 16 << 20

    /// - Throws: `invalidInput` where the file cannot be read, or is larger than any of ours.
    static func read(_ path: String) throws -> String {
        let file = try ByteFile(path: path)
        var bytes: [UInt8] = []
        while bytes.count <= largest {
            let chunk = try file.nextChunk()
            if chunk.isEmpty { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk
        }
        throw OperatorError(.invalidInput, "\(path) is too large.")
    }
}
