package org.madcast.agent.system;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.madcast.lab.LabCapability;

/** Says why a test that needs a lab cannot run here. */
public final class NeedsLab {

    private NeedsLab() {}

    /** Skips the test, with the reason, where no lab can be made or nothing be lost in it. */
    public static void assumeAvailable() {
        switch (LabCapability.check()) {
            case LabCapability.Available(boolean lossy) ->
                    assumeTrue(lossy, "no losses can be made: install nftables");
            case LabCapability.Unavailable(String reason, String cure) ->
                    assumeTrue(false, reason + ": " + cure);
        }
    }
}
