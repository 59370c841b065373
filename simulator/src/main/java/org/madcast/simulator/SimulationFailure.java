package org.madcast.simulator;

/** A simulated job did not do what it should: a rank gave up, or nothing happens any more. */
public final class SimulationFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    SimulationFailure(String message) {
        super(message);
    }
}
