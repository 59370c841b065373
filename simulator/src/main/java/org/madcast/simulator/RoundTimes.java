package org.madcast.simulator;

/**
 * How long a {@link RoundProgram} took.
 *
 * @param lastNs until the last rank's last call ended
 * @param heldNs how long a rank was in its calls, the mean over all ranks
 */
public record RoundTimes(long lastNs, double heldNs) {}
