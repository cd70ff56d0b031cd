import CLibFuzzer
import Foundation

/// One target under libFuzzer: `aqua-fuzz TARGET DIRECTORY [options of libFuzzer] [FILE...]`, or `aqua-fuzz --list`.
///
/// `deploy/fuzz` builds and starts it. The directory gets the seeds, and libFuzzer keeps inputs there that reached new
/// code.
@main
enum FuzzMain {
    /// Set once, before the first input: libFuzzer's callback takes no context.
    nonisolated(unsafe) private static var target: FuzzTarget?

    static func main() throws {
        let arguments = CommandLine.arguments
        if arguments.dropFirst().first == "--list" {
            for target in FuzzTarget.all { print(target.name) }
            return
        }
        guard arguments.count >= 3, let chosen = FuzzTarget.all.first(where: { $0.name == arguments[1] }) else {
            FileHandle.standardError.write(Data("--list names the targets\n".utf8))
            exit(2)
        }
        target = chosen
        let directory = URL(filePath: arguments[2])
        let dictionary = try prepare(chosen, directory)
        // Named files are read instead, once each.
        let isReading = arguments.last?.hasPrefix("-") == false && arguments.count > 3
        let inputs = isReading ? [] : [directory.path(percentEncoded: false)]
        exit(run([arguments[0], "-dict=\(dictionary)"] + arguments[3...] + inputs))
    }

    /// Writes the seeds, and the words in libFuzzer's form.
    private static func prepare(_ target: FuzzTarget, _ directory: URL) throws -> String {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        for (number, seed) in target.seeds.enumerated() {
            try Data(seed).write(to: directory.appending(path: "seed-\(number)"))
        }
        let words = target.words.map { word in
            "\"" + word.utf8.map { "\\x" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "\"\n"
        }
        let file = directory.path(percentEncoded: false) + ".words"
        try Data(words.joined().utf8).write(to: URL(filePath: file))
        return file
    }

    private static func run(_ arguments: [String]) -> Int32 {
        // The pointers live as long as the process.
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        return pointers.withUnsafeMutableBufferPointer { buffer in
            var count = Int32(arguments.count)
            var base = buffer.baseAddress
            return LLVMFuzzerRunDriver(&count, &base) { data, size in
                FuzzMain.check(UnsafeBufferPointer(start: data, count: size))
            }
        }
    }

    /// Checks one input. A broken promise ends the process like a crash, so that libFuzzer keeps the input.
    private static func check(_ input: UnsafeBufferPointer<UInt8>) -> Int32 {
        do {
            try target?.check(Array(input))
        } catch {
            FileHandle.standardError.write(Data("A broken promise: \(error)\n".utf8))
            abort()
        }
        return 0
    }
}
