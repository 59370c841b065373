package org.madcast.agent.system;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.madcast.lab.LabCapability;

/** Says why a test that needs a lab cannot run here. */
final class NeedsLab {

    private NeedsLab() {}

    static void assumeAvailable() {
        switch (LabCapability.check()) {
            case LabCapability.Available(boolean lossy) ->
                    assumeTrue(lossy, "no losses can be made: install nftables");
            case LabCapability.Unavailable(String reason, String cure) ->
                    assumeTrue(false, reason + ": " + cure);
        }
    }
}
