import Glibc
import TestSupport

/// Decompresses Brotli with the decoder that comes with the encoder; the programs do not need it.
func unbrotli(_ bytes: [UInt8], _ count: Int) throws -> [UInt8] {
    typealias Decompress =
        @convention(c) (Int, UnsafePointer<UInt8>, UnsafeMutablePointer<Int>, UnsafeMutablePointer<UInt8>) -> Int32
    guard let library = dlopen("libbrotlidec.so.1", RTLD_NOW), let symbol = dlsym(library, "BrotliDecoderDecompress")
    else { throw TestSupportError("there is no decoder of Brotli") }
    let decompress = unsafeBitCast(symbol, to: Decompress.self)
    var length = count + 1
    var plain = [UInt8](repeating: 0, count: length)
    guard decompress(bytes.count, bytes, &length, &plain) == 1 else { throw TestSupportError("this is no Brotli") }
    return Array(plain.prefix(length))
}
