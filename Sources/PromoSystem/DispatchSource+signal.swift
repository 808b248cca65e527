package import Dispatch

extension DispatchSource {
    /// Handles a signal on a queue, from when this returns. Activation only requests the handler; until that is installed, the signal ends
    /// the process.
    package static func signalSource(
        of number: Int32, queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
    ) -> any DispatchSourceSignal {
        let source = makeSignalSource(signal: number, queue: queue)
        source.setEventHandler { handler() }
        let installed = DispatchSemaphore(value: 0)
        source.setRegistrationHandler { installed.signal() }
        source.activate()
        installed.wait()
        return source
    }
}
