import Glibc

/// Ends the process with this code, at once, after what was printed is written.
///
/// `exit` would run OpenSSL's clean-up while threads of libpq and libmosquitto may still be ending, and their own
/// clean-up then finds OpenSSL's locks gone and crashes. Nothing else here waits for the end of the process.
package func endProcess(_ code: Int32) -> Never {
    fflush(nil)
    _exit(code)
}
