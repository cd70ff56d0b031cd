import Postgres
import Store
import WaterQuality

/// Says of the enroller that it is there, for whom it works, and where devices reach the broker.
struct BeatEnroller: Statement {
    static let sql = "SELECT beat_enroller($1, $2, $3, $4, $5, $6, $7)"

    let allowed: String
    let mostADay: Int32
    let hosts: String
    let port: Int32
    let usesTLS: Bool
    let httpOrigin: String?
    let authority: String?

    func bind(_ parameters: inout Parameters) {
        parameters.append(allowed)
        parameters.append(mostADay)
        parameters.append(hosts)
        parameters.append(port)
        parameters.append(usesTLS)
        parameters.append(httpOrigin)
        parameters.append(authority)
    }
}

/// Devices that wait, of all batches in turn.
struct TakeEnrolments: Statement {
    static let sql = """
        SELECT batch, line, kind, links, public_key, auth, hardware_id, preset, standing, generation FROM take_enrolments($1)
        """
    let limit: Int32
    init(limit: Int) { self.limit = Int32(limit) }
    func bind(_ parameters: inout Parameters) { parameters.append(limit) }

    static func decode(_ row: inout RowReader) throws -> AskedDevice {
        let place = try AskedDevice.Place(batch: row.read(), line: row.read())
        let (kind, links): (Enrolment.Kind, Bool) = try (row.read(), row.read())
        let (publicKey, secret): ([UInt8], [UInt8]) = try (row.read(), row.read())
        return try AskedDevice(
            place: place, kind: kind, links: links, pageKeys: publicKey + secret, hardwareID: row.read(),
            preset: row.read(), standing: row.read(), generation: row.read())
    }
}

/// A device that somebody asked for, or for a key of it.
struct AskedDevice: Sendable {
    /// By which what became of it is noted.
    struct Place: Hashable, Sendable {
        let batch: EnrolmentID
        let line: Int16
    }

    enum Standing: String, CaseIterable, Sendable {
        /// No device has its id.
        case new
        /// The asker's, which stays as it is.
        case known
        case taken
        /// The asker's, for which another key is wanted.
        case own
        /// The batch goes on no more.
        case withdrawn
    }

    let place: Place
    let kind: Enrolment.Kind
    /// Whether it is the asker's at once.
    let links: Bool
    /// The public key of the page that asked, and its secret.
    let pageKeys: [UInt8]
    let hardwareID: String
    let preset: String?
    let standing: Standing
    /// Of the present key; nil for a device that is to be made.
    let generation: Int32?
}

extension Parameters {
    fileprivate mutating func append(_ place: AskedDevice.Place) {
        append(place.batch)
        append(place.line)
    }
}

/// Notes that nothing is made of a device: it is known, or refused.
struct SettleEnrolment: Statement {
    static let sql = "SELECT settle_enrolment($1, $2, $3)"
    let place: AskedDevice.Place
    /// nil: it is known.
    let reason: Enrolment.Reason?

    init(_ place: AskedDevice.Place, _ reason: Enrolment.Reason?) {
        self.place = place
        self.reason = reason
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(place)
        parameters.append(reason)
    }
}

/// Makes the row of a device whose account is made.
struct EnrolDevice: Statement {
    static let sql = "SELECT enrol_device($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)"

    let place: AskedDevice.Place
    let slot: Slot
    let claimCode: StoredClaimCode
    let keyID: String
    let keyHash: [UInt8]
    let sealed: [UInt8]
    let defaults: [LinkDevice.Default]

    func bind(_ parameters: inout Parameters) {
        parameters.append(place)
        parameters.append(slot)
        parameters.append(claimCode)
        parameters.append(keyID)
        parameters.append(keyHash)
        parameters.append(sealed)
        parameters.append(defaults)
    }

    static func decode(_ row: inout RowReader) throws -> EnrolmentOutcome { try row.read() }
}

/// Notes the key that the broker has of a device by now. Where another one came first the device goes on waiting.
struct RekeyDevice: Statement {
    static let sql = "SELECT rekey_device($1, $2, $3, $4, $5, $6)"

    let place: AskedDevice.Place
    let generation: Int32
    let keyID: String
    let keyHash: [UInt8]
    let sealed: [UInt8]

    func bind(_ parameters: inout Parameters) {
        parameters.append(place)
        parameters.append(generation)
        parameters.append(keyID)
        parameters.append(keyHash)
        parameters.append(sealed)
    }
}

/// The end of a request for a device whose account at the broker was made first.
enum EnrolmentOutcome: String, CaseIterable, Sendable {
    case made, known, taken, full, tooMany, withdrawn
    /// No request waits for it any more.
    case gone

    /// Whether the account that was made for it is of no use, since there is no such device.
    var leavesAccount: Bool {
        switch self {
        case .full, .tooMany, .withdrawn: true
        // Another enroller may have made what is gone.
        case .made, .known, .taken, .gone: false
        }
    }
}
