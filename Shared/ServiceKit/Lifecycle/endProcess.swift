import Glibc

/// Ends the process at once with this exit code, after writing what was printed.
///
/// `exit` would run OpenSSL's clean-up while threads of libpq and libmosquitto may still be ending; their own clean-up
/// would then find OpenSSL's locks gone and crash. Nothing else here needs clean-up at exit.
package func endProcess(_ code: Int32) -> Never {
    fflush(nil)
    _exit(code)
}
