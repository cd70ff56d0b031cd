import COpenSSL

/// An object that a function of the library made, which the caller frees at the end of its scope.
/// - Throws: `library` for nil.
func made<Object>(_ object: Object?) throws(CertificateError) -> Object {
    guard let object else { throw .library }
    return object
}

extension CertificateError {
    static let library = CertificateError(.library, "OpenSSL could not do it: memory or random numbers are wanting")
}

/// - Throws: `library` unless the function reported success, which OpenSSL does by 1 and by a length.
func succeeded(_ result: CInt) throws(CertificateError) {
    guard result > 0 else { throw .library }
}

/// The text that `write` puts out in PEM.
func pemText(_ write: (OpaquePointer) -> CInt) throws(CertificateError) -> String {
    let memory = try made(BIO_new(BIO_s_mem()))
    defer { BIO_free(memory) }
    try succeeded(write(memory))
    var bytes: UnsafeMutablePointer<CChar>?
    let count = aqua_bio_bytes(memory, &bytes)
    return String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
}

/// The first object of its kind in a PEM text, which the caller frees.
/// - Parameter read: Returns nil for a text without one.
func pemObject(
    _ text: String, _ what: String, _ read: (OpaquePointer) -> OpaquePointer?
) throws(CertificateError) -> OpaquePointer {
    let memory = try made(BIO_new(BIO_s_mem()))
    defer { BIO_free(memory) }
    let bytes = Array(text.utf8)
    guard bytes.count <= Int(CInt.max), BIO_write(memory, bytes, CInt(bytes.count)) == bytes.count,
        let found = read(memory)
    else {
        // The queue of errors is the thread's, and nothing of this one may be told of the next.
        ERR_clear_error()
        throw CertificateError(.unreadable, "is no \(what) in PEM")
    }
    return found
}
