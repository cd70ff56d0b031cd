import Backoff
import MQTT
import ThreadExecutor

/// The fleet's thread: waits for all sockets, reads, records acknowledgements, performs commands and writes.
actor FleetLoop {
    private nonisolated let executor = ThreadExecutor(name: "mqtt-fleet")
    private let fleet: MQTTFleet
    private let wakeUp: WakeUp
    private let epoll: Epoll
    private let backoff: Backoff
    private var members: [Int: FleetMember] = [:]
    /// Members with something to write.
    private var touched: Set<Int> = []
    /// Members that may have more to read than their turn allowed: no event reports bytes inside the TLS library.
    private var unfinished: Set<Int> = []
    private var nextTick = ContinuousClock.now
    private var nextKeepAlive = ContinuousClock.now

    /// The most packets that one member reads before the others have their turn.
    private static let turn = 500

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(fleet: MQTTFleet, wakeUp: WakeUp, backoff: Backoff) throws {
        self.fleet = fleet
        self.wakeUp = wakeUp
        self.backoff = backoff
        epoll = try Epoll(wakeUp)
    }

    /// Blocks the thread until the fleet stops.
    func run() {
        while let commands = fleet.takeCommands() {
            for command in commands { perform(command) }
            writeTouched()
            let unread = unfinished
            unfinished = []
            for ready in epoll.wait(milliseconds: unread.isEmpty ? 100 : 0) {
                if ready.id == Epoll.wakeUpID { wakeUp.clear() } else { serve(ready.id, hungUp: ready.hungUp) }
            }
            for id in unread { serve(id, hungUp: false) }
            writeTouched()
            tick()
        }
        end()
    }

    // MARK: Commands

    private func perform(_ command: FleetLedger.Command) {
        switch command {
        case .connect(let id, let configuration, let sinks, let token):
            do throws(MQTTError) {
                let member = try FleetMember(
                    id: id, configuration, sinks: sinks, connecting: token, backoff: backoff)
                members[id] = member
                watch(member)
            } catch {
                sinks.finish()
                settle(token, error)
            }
        case .publish(let id, let message, let token):
            guard let member = members[id] else { return settle([(token, MQTTError(.closed))], of: id) }
            if let refused = member.publish(message, token) { settle([refused], of: id) }
            touched.insert(id)
        case .subscribe(let id, let subscriptions, let token):
            guard let member = members[id] else { return settle(token, MQTTError(.closed)) }
            do throws(MQTTError) { try member.subscribe(subscriptions, token) } catch { settle(token, error) }
            touched.insert(id)
        case .disconnect(let id, let abruptly, let token):
            guard let member = members[id] else { return settle(token, nil) }
            member.leaving = token
            if abruptly { remove(member) } else { leave(member) }
        }
    }

    private func leave(_ member: FleetMember) {
        guard case .up = member.status else { return remove(member) }
        do throws(MQTTError) {
            try member.connection.queueDisconnect(endSession: false)
            member.status = .leaving
            touched.insert(member.id)
        } catch {
            remove(member)
        }
    }

    private func remove(_ member: FleetMember) {
        members[member.id] = nil
        member.sinks.finish()
        for token in member.allTokens { settle(token, MQTTError(.closed)) }
        if let token = member.connecting { settle(token, MQTTError(.closed)) }
        fleet.settle { $0.removeClient(member.id) }
        if let token = member.leaving { settle(token, nil) }
    }

    // MARK: Sockets

    private func watch(_ member: FleetMember) {
        member.watchesWriting = true
        epoll.add(member.connection.socket, id: member.id, writing: true)
    }

    private func serve(_ id: Int, hungUp: Bool) {
        guard let member = members[id] else { return }
        do throws(MQTTError) {
            if case .connecting = member.status {
                try member.connection.proceedConnecting(hungUp ? .hungUp : .ready)
                if member.connection.inbox.connected != nil { try welcome(member) }
            } else {
                try read(member)
            }
            touched.insert(id)
        } catch {
            book(member)
            lost(member, error)
        }
    }

    private func welcome(_ member: FleetMember) throws(MQTTError) {
        settle(try member.connected(), of: member.id)
        if let token = member.connecting {
            member.connecting = nil
            settle(token, nil)
        } else {
            member.sinks.reconnections.yield()
        }
        // Packets behind the CONNACK may wait inside the TLS library.
        unfinished.insert(member.id)
    }

    private func read(_ member: FleetMember) throws(MQTTError) {
        var packets = 0
        while packets < Self.turn, try member.connection.read() { packets += 1 }
        if packets == Self.turn { unfinished.insert(member.id) }
        book(member)
    }

    /// Hands over what the member has read: acknowledgements, answers and messages.
    private func book(_ member: FleetMember) {
        let acknowledged = member.takeAcknowledged()
        if !acknowledged.isEmpty { settle(acknowledged, of: member.id) }
        for answer in member.takeAnswered() { if let token = answer.token { settle(token, answer.error) } }
        for message in member.connection.takeMessages() { member.sinks.messages.yield(message) }
    }

    private func writeTouched() {
        while let id = touched.popFirst() {
            guard let member = members[id] else { continue }
            do throws(MQTTError) { try write(member) } catch { lost(member, error) }
        }
    }

    private func write(_ member: FleetMember) throws(MQTTError) {
        if case .waiting = member.status { return }
        let connection = member.connection
        if connection.wantsToWrite, connection.inbox.connected != nil {
            connection.cork(true)
            // Writing a DISCONNECT closes the socket, so an error here means success.
            do throws(MQTTError) { try connection.write() } catch {
                guard case .leaving = member.status else { throw error }
                return remove(member)
            }
            connection.cork(false)
            // Confirms QoS 0 packets, which count as published when they have left.
            book(member)
        }
        if connection.wantsToWrite != member.watchesWriting, connection.socket >= 0 {
            member.watchesWriting.toggle()
            epoll.change(connection.socket, id: member.id, writing: member.watchesWriting)
        }
    }

    private func lost(_ member: FleetMember, _ error: MQTTError) {
        if let token = member.connecting {
            members[member.id] = nil
            member.sinks.finish()
            return settle(token, error)
        }
        if case .leaving = member.status { return remove(member) }
        let gone = member.lost(error)
        settle(gone.published, of: member.id)
        for token in gone.asked { settle(token, error) }
    }

    // MARK: Time

    private func tick() {
        let now = ContinuousClock.now
        guard now >= nextTick else { return }
        nextTick = now + .milliseconds(50)
        let isKeepAliveDue = now >= nextKeepAlive
        if isKeepAliveDue { nextKeepAlive = now + .seconds(1) }
        for member in members.values {
            do throws(MQTTError) {
                switch member.status {
                case .up:
                    guard isKeepAliveDue else { continue }
                    try member.connection.keepAlive()
                    if member.connection.wantsToWrite { touched.insert(member.id) }
                case .connecting(let deadline):
                    if now >= deadline { throw MQTTError(.timeout) }
                case .waiting(let until):
                    guard now >= until else { continue }
                    try member.reconnect()
                    watch(member)
                case .leaving: break
                }
            } catch {
                lost(member, error)
            }
        }
    }

    // MARK: Settling

    private func settle(_ token: FleetLedger.Token, _ error: MQTTError?) {
        fleet.settle { $0.settle(token, error.map { .failure($0) } ?? .success(())) }
    }

    private func settle(_ acknowledged: [FleetMember.Acknowledged], of id: Int) {
        guard !acknowledged.isEmpty else { return }
        fleet.settle { $0.close(acknowledged, of: id) }
    }

    private func end() {
        for member in members.values {
            if case .up = member.status {
                try? member.connection.queueDisconnect(endSession: false)
                try? member.connection.write()
            }
            member.sinks.finish()
        }
        members = [:]
        fleet.settle { $0.end() }
    }
}
