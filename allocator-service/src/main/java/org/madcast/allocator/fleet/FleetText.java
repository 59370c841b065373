package org.madcast.allocator.fleet;

/** How long what an agent says may be. */
final class FleetText {

    /** Text without control characters. */
    static final String PLAIN = "[^\\p{Cntrl}]*";

    static final int NAME = 200;
    static final int LINE = 1000;

    private FleetText() {}
}
