package org.madcast.lab;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Says why a test that needs a lab cannot run here. */
final class LiveLab {
    private LiveLab() {}

    static void assumeAvailable() {
        switch (LabCapability.check()) {
            case LabCapability.Available(boolean lossy) ->
                    assumeTrue(lossy, "no losses can be made: install nftables");
            case LabCapability.Unavailable(String reason, String cure) ->
                    assumeTrue(false, reason + ": " + cure);
        }
    }
}
