/// A password or key that is not shown by accident: neither printing nor a dump reveals it.
package struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The secret itself: hand it to the one call that needs it.
    package let revealed: String

    package init(_ text: String) {
        revealed = text
    }

    package var description: String { "(secret)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
