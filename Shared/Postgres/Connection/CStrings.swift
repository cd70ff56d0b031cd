import Glibc

/// A NULL-terminated array of C strings, freed with its owner.
struct CStrings: ~Copyable {
    let pointers: [UnsafePointer<CChar>?]

    init(_ strings: [String]) {
        pointers = strings.map { UnsafePointer(strdup($0)) } + [nil]
    }

    deinit {
        for pointer in pointers { free(UnsafeMutablePointer(mutating: pointer)) }
    }
}
