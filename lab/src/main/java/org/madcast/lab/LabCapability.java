package org.madcast.lab;

/** Whether a lab can be made on this machine by this process. */
public sealed interface LabCapability {

    /**
     * A lab can be made.
     *
     * @param lossy whether it can lose and block datagrams too, for which nft is needed
     */
    record Available(boolean lossy) implements LabCapability {}

    /**
     * No lab can be made.
     *
     * @param reason what is missing, in one line
     * @param cure what to do about it, in one line
     */
    record Unavailable(String reason, String cure) implements LabCapability {}

    /**
     * Tries it: makes a namespace with a bridge, a cable and a shaper, enters it, and deletes it.
     * Takes about a tenth of a second. Never throws.
     */
    static LabCapability check() {
        return CapabilityProbe.check();
    }
}
