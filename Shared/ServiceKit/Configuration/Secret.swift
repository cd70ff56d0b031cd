/// A password or key that is not revealed by accident, neither by printing nor by a dump.
package struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The secret itself; pass it only to the call that needs it.
    package let revealed: String

    package init(_ text: String) {
        revealed = text
    }

    package var description: String { "(secret)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
