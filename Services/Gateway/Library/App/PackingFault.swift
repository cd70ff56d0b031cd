/// A place in the app's source that the packing cannot read, so that the app would travel otherwise than it was written.
///
/// Nothing is packed then: a pack that is not made, or a script that lacks its file, shows on somebody's phone alone.
package struct PackingFault: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        case export
        case `import`
        case later
        case meta
        case behind
        case template
        case comment
        case waits
        case ring(with: String)
        case missing(file: String)
        case unexported(name: String, by: String)
        case noObject(file: String)
        case sameName(as: String)
        case unworded(key: String, language: String)
        case noList
    }

    package let path: String
    /// Counted from 1.
    package let line: Int
    package let reason: Reason

    /// The end of the sentence "the file, which at its line ...".
    package var story: String {
        switch reason {
        case .export: "exports otherwise than by 'export function', 'export class' or 'export const' and a name"
        case .import: "imports otherwise than by '{ names }', '* as name' or 'name' from a path in double quotes"
        case .later: "imports when needed what it does not name in double quotes"
        case .meta: "asks for its own address, which is the pack's"
        case .behind: "imports or exports behind another statement of the line"
        case .template: "begins a template, or has a backtick in another place, and no end of it"
        case .comment: "begins a comment that has no end"
        case .waits: "waits for something before it has run, and travels in a pack"
        case .ring(let file): "imports \(file), which waits for this file"
        case .missing(let file): "names \(file), which is not there"
        case .unexported(let name, let file): "takes \(name), which \(file) does not export"
        case .noObject(let file): "takes the default of \(file), which is not an object and nothing else"
        case .sameName(let file): "has the name in packs that \(file) has"
        case .unworded(let key, let language): "names \(key), for which the language \(language) has no words"
        case .noList: "is no list of sections and texts, one a line"
        }
    }
}
