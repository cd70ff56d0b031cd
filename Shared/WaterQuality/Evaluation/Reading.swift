package import Instants

/// One value of one parameter at its event time, as it is compared.
package struct Reading: Hashable, Sendable {
    package var time: Timestamp
    package var value: Steps

    package init(time: Timestamp, value: Steps) {
        self.time = time
        self.value = value
    }
}
