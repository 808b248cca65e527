package import PromoWire

extension Connection {
    /// Refuses the client, with an error as the connection's last line.
    @discardableResult
    package mutating func refuse(_ error: RequestError) -> Step {
        end(.lingering) { output in
            output.reply(to: .null, error: error)
            output.json.append("\n")
        }
        return .again(refused: error.reason)
    }

    mutating func refuseHTTP() -> Step {
        end(.lingering) { $0.json.append(bytes: HTTPRequest.refusal) }
        return .again(refused: .invalidRequest)
    }

    /// Ends the connection after its last bytes, which the closure writes.
    mutating func end(_ kind: ConnectionEnd.Kind, _ write: (inout OutputQueue) -> Void) {
        let isInputEnded = serve { serving, output in
            serving.endLine(&output)
            write(&output)
            return serving.isInputEnded
        }
        guard let isInputEnded else { return }
        phase = .ending(ConnectionEnd(isInputEnded ? .finishing : kind))
    }

    /// promod stops; requests that the client has already sent are still answered.
    package mutating func stop() {
        serve { serving, _ in serving.deadline = serving.deadline ?? .max }
    }

    /// Begins the end if everything is answered, sets the deadlines, and returns the shell's work; called after each event.
    /// - Parameter owesEvents: whether the client still has to receive events.
    package mutating func settle(owesEvents: Bool, now: Milliseconds) -> Wish {
        let isDrained = output.isEmpty
        switch phase {
        case .serving(var serving) where serving.isIdle && isDrained:
            guard owesEvents || !serving.isInputEnded else {
                phase = .closed
                return Wish(close: true)
            }
            serving.restartDeadline(now: now)
            phase = .serving(serving)
            return Wish(input: !serving.isInputEnded, deadline: serving.deadline)
        case .serving(let serving):
            return Wish(
                output: !isDrained, more: isDrained && serving.canGoOn, deadline: serving.deadline,
                hangUp: serving.isWaiting)
        case .ending(var end):
            guard end.settle(isDrained: isDrained, now: now) else {
                phase = .closed
                return Wish(close: true)
            }
            let wish = Wish(
                input: end.wantsInput, output: !isDrained, deadline: end.deadline,
                shutDown: end.takeShutdown(isDrained: isDrained))
            phase = .ending(end)
            return wish
        case .closed: return Wish(close: true)
        }
    }

    /// The deadline has passed.
    package mutating func timePassed(now: Milliseconds) {
        switch phase {
        case .serving(let serving):
            guard let deadline = serving.deadline, now >= deadline else { return }
            if serving.isIdle, output.isEmpty {
                phase = .ending(ConnectionEnd(.finishing))
            } else {
                // The next deadline is set when everything is answered and sent.
                serve { serving, _ in serving.deadline = .max }
            }
        case .ending(let end):
            if let deadline = end.deadline, now >= deadline { phase = .closed }
        case .closed: break
        }
    }
}
