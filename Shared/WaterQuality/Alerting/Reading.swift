package import Instants

/// One value of one parameter at its event time, in the form that is compared.
package struct Reading: Hashable, Sendable {
    package var time: Timestamp
    package var value: Steps

    package init(time: Timestamp, value: Steps) {
        self.time = time
        self.value = value
    }
}
