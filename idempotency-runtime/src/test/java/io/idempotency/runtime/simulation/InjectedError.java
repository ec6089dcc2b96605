package io.idempotency.runtime.simulation;

/** What a virtual machine throws that is at its end. */
final class InjectedError extends VirtualMachineError {

    private static final long serialVersionUID = 1L;

    InjectedError() {
        super("made by the simulation");
    }
}
