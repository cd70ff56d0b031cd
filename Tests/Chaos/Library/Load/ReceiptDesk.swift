import MQTT
import Synchronization

/// Collects the commit receipts of one device. Receipts may be lost, so every wait has a limit.
final class ReceiptDesk: Sendable {
    private struct State {
        var arrived: [[UInt8]: String] = [:]
        var waiting: [[UInt8]: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Collects receipts until the device disconnects.
    func run(_ messages: AsyncStream<MQTTMessage>) async {
        for await message in messages {
            guard let mark = message.correlationData else { continue }
            let waiter = state.withLock { state in
                state.arrived[mark] = Self.status(message.payload)
                return state.waiting.removeValue(forKey: mark)
            }
            waiter?.resume()
        }
    }

    /// - Returns: The status of the receipt with this mark; nil if none came in time.
    func receipt(_ mark: [UInt8], within limit: Duration) async -> String? {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.arrival(of: mark) }
            // Only the receipt's arrival ends this sleep early.
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
        return state.withLock { state in
            defer { state.arrived = [:] }
            return state.arrived[mark]
        }
    }

    private func arrival(of mark: [UInt8]) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.arrived[mark] != nil || Task.isCancelled { return true }
                    state.waiting[mark] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: mark) }?.resume()
        }
    }

    /// `{"status":"stored"}`: the third word between quotation marks.
    private static func status(_ payload: [UInt8]) -> String {
        let words = String(decoding: payload, as: UTF8.self).split(separator: "\"")
        return words.count > 3 ? String(words[3]) : "unreadable"
    }
}
