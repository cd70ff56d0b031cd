import FoundationEssentials
import Glibc
import Instants
import Secrets

/// The directory of the fleet's authority: its key, which is nowhere else, the certificates that it signed, and its list of those that
/// are revoked. All files are in standard forms, so that OpenSSL's own commands read them.
struct AuthorityDirectory: Sendable {
    let path: String

    private var keyFile: String { "\(path)/authority.key" }
    private var certificateFile: String { "\(path)/authority.pem" }
    private var listFile: String { "\(path)/revoked.pem" }
    private var issued: String { "\(path)/issued" }

    /// - Throws: `conflict` where the directory is the one that the broker reads, or is in it: the broker would have the key then.
    init(_ path: String, apartFrom fleet: FleetSettings? = nil) throws(OperatorError) {
        self.path = path
        // Of a directory that is not there yet, the one that it will be in.
        let mine = Self.resolved(path) ?? Self.resolved(URL(filePath: path).deletingLastPathComponent().path)
        if let fleet, let mine, let theirs = Self.resolved(fleet.directory), "\(mine)/".hasPrefix("\(theirs)/") {
            throw OperatorError(
                .conflict,
                "\(path) is in the directory of AQUA_FLEET_TLS, which the broker reads. The authority's key must not be there: name another directory."
            )
        }
    }

    private static func resolved(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    // MARK: The authority

    /// Makes the directory, for its owner alone, where there is none yet.
    func prepare() throws(OperatorError) {
        for directory in [path, issued] where mkdir(directory, 0o700) != 0 && errno != EEXIST {
            throw OperatorError(.invalidInput, "\(directory) cannot be made: \(String(cString: strerror(errno))).")
        }
        try requirePrivacy()
    }

    /// Makes an authority where there is none yet. The caller has the lock: two at once would leave the key of one and the certificate of
    /// the other.
    /// - Returns: Whether one was made.
    func make(name: String, until end: Timestamp, now: Timestamp) throws -> Bool {
        if FileManager.default.fileExists(atPath: certificateFile) {
            if !FileManager.default.fileExists(atPath: listFile) {
                try store(authority().list([:], after: nil, now: now))
            }
            return false
        }
        // A key without a certificate is left over from an attempt that was interrupted, and has signed nothing.
        let key = try CertificateKey.generate()
        let authority = try CertificateAuthority.make(name: name, key: key, until: end, now: now)
        try DurableFile.write(key.pem, to: keyFile, mode: 0o600)
        try store(authority.list([:], after: nil, now: now))
        try DurableFile.write(authority.certificate.pem, to: certificateFile, mode: 0o644)
        return true
    }

    /// - Throws: `notFound` where there is none, `invalidInput` where others than the owner can reach the key.
    func authority() throws -> CertificateAuthority {
        guard FileManager.default.fileExists(atPath: certificateFile) else {
            throw OperatorError(
                .notFound, "There is no authority in \(path). Make one: aqua certificate authority --directory \(path)")
        }
        try requirePrivacy()
        let certificate = try read(certificateFile, Certificate.init(reading:))
        return try read(keyFile) { try CertificateAuthority(certificate, key: CertificateKey(reading: $0)) }
    }

    /// The key's reader is every device.
    private func requirePrivacy() throws(OperatorError) {
        for file in [path, keyFile] {
            var status = stat()
            guard stat(file, &status) == 0, status.st_mode & 0o077 != 0 else { continue }
            throw OperatorError(
                .invalidInput, "\(file) is open to other users of this machine. Run: chmod go= \(file)")
        }
    }

    private func read<Value>(_ file: String, _ parse: (String) throws -> Value) throws -> Value {
        let text = try TextFile.read(file)
        do {
            return try parse(text)
        } catch let error as CertificateError {
            throw OperatorError(.invalidInput, "\(file) \(error).", underlying: error)
        }
    }

    // MARK: Certificates

    /// A certificate as the name of its file says.
    struct Issued: Hashable, Sendable {
        let name: String
        let serial: CertificateSerial
        fileprivate var file: String { "\(name).\(serial).pem" }
    }

    /// Writes a certificate down, before anybody else has it.
    func record(_ certificate: Certificate) throws {
        let file = Issued(name: certificate.name, serial: certificate.serial).file
        try DurableFile.write(certificate.pem, to: "\(issued)/\(file)", mode: 0o600)
    }

    /// Everything that was signed, in the order of names.
    func certificates() throws -> [Issued] {
        guard let files = try? FileManager.default.contentsOfDirectory(atPath: issued) else {
            throw OperatorError(.invalidInput, "\(issued) cannot be read.")
        }
        return files.sorted().compactMap { file in
            let parts = file.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 3, parts[2] == "pem", let serial = CertificateSerial(String(parts[1])) else {
                return nil
            }
            return Issued(name: String(parts[0]), serial: serial)
        }
    }

    func certificate(_ one: Issued) throws -> Certificate {
        try read("\(issued)/\(one.file)", Certificate.init(reading:))
    }

    // MARK: The list

    func list() throws -> RevocationList { try read(listFile, RevocationList.init(reading:)) }

    private func store(_ list: RevocationList) throws {
        try DurableFile.write(list.pem, to: listFile, mode: 0o644)
    }

    /// Adds to the list. It contains whatever this directory's or the broker's says, so that a restored copy of either brings nothing back.
    /// Certificates that have ended for a week leave it, and what was written down of sentinels.
    func revoke(
        _ serials: some Sequence<CertificateSerial>, by authority: CertificateAuthority, broker: RevocationList?,
        now: Timestamp
    ) throws -> RevocationList {
        let known = [try list(), broker].compactMap(\.self)
        let latest = known.max { $0.number < $1.number }
        var revoked = known.reduce(into: [:]) { $0.merge($1.revoked) { min($0, $1) } }
        for one in try certificates() where revoked[one.serial] != nil {
            guard let end = try? certificate(one).validity.upperBound, end + .seconds(7 * 86_400) < now else {
                continue
            }
            revoked[one.serial] = nil
            if one.name == FleetIdentity.sentinelName { unlink("\(issued)/\(one.file)") }
        }
        for serial in serials where revoked[serial] == nil { revoked[serial] = now }
        let list = try authority.list(revoked, after: latest, now: now)
        try store(list)
        return list
    }

    // MARK: One at a time

    /// Keeps other commands out of the directory while `body` runs; the system ends this with the process.
    /// - Throws: `conflict` where another command takes longer than the limit.
    func locked<Result>(within limit: Duration, _ body: () async throws -> Result) async throws -> Result {
        let descriptor = open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw OperatorError(.invalidInput, "\(path) cannot be written: \(String(cString: strerror(errno))).")
        }
        defer { close(descriptor) }
        let end = ContinuousClock.now + limit
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard ContinuousClock.now < end else {
                throw OperatorError(
                    .conflict, "Another command works on \(path). Wait for its end, and run this one again.")
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        return try await body()
    }
}
