package org.madcast.client.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.madcast.client.internal.CallSignature.Operation;
import org.madcast.client.survival.Notice;

class CallHistoryTest {

    private static final long GATHER = CallSignature.of(Operation.GATHER, 0, 8);
    private static final long SCAN = CallSignature.of(Operation.SCAN, 0, 8);
    private static final long BCAST = CallSignature.ofBroadcast(0, 2, 8);

    private final CallHistory here = new CallHistory();
    private final CallHistory there = new CallHistory();

    private Notice waiting(int number, long call) {
        return Objects.requireNonNull(there.waiting(number, call));
    }

    @Test
    void oneWhoIsBehindMayStillMakeTheSameCall() {
        there.beginBroadcast(BCAST);
        assertThat(here.compare(waiting(there.begin(GATHER), GATHER))).isNull();
        here.beginBroadcast(BCAST);
        assertThat(here.compare(waiting(0, GATHER))).isNull();
        assertThat(here.begin(GATHER)).isZero();
        here.beginBroadcast(BCAST);
        assertThat(here.compare(waiting(0, GATHER))).isNull();
    }

    @Test
    void anotherCallOfTheSameNumberDiffers() {
        assertThat(here.begin(SCAN)).isZero();
        assertThat(here.compare(waiting(there.begin(GATHER), GATHER)))
                .isEqualTo(new CallHistory.Difference(SCAN, GATHER, 0));
    }

    @Test
    void aBroadcastWhereAnotherWaitsInACallDiffers() {
        here.beginBroadcast(BCAST);
        CallHistory.Difference found = here.compare(waiting(there.begin(GATHER), GATHER));
        assertThat(found).isEqualTo(new CallHistory.Difference(BCAST, GATHER, 1));
        assertThat(Objects.requireNonNull(found).describe(1, 0))
                .isEqualTo(
                        "rank 1 called bcast (root 2, 8 bytes), rank 0 called gather (root 0, 8"
                                + " bytes)");
    }

    @Test
    void aBroadcastThatWasLeftOutBeforeTheSameCallDiffers() {
        there.beginBroadcast(BCAST);
        int number = here.begin(GATHER);
        CallHistory.Difference found = here.compare(waiting(there.begin(GATHER), GATHER));
        assertThat(number).isZero();
        assertThat(Objects.requireNonNull(found).describe(1, 0))
                .isEqualTo(
                        "rank 1 is 1 broadcasts or barriers behind rank 0 when both call gather"
                                + " (root 0, 8 bytes)");
    }

    @Test
    void oneWhoIsManyBroadcastsAheadDiffers() {
        for (int i = 0; i < 1000; i++) {
            here.beginBroadcast(BCAST);
        }
        assertThat(here.compare(waiting(there.begin(GATHER), GATHER)))
                .isEqualTo(new CallHistory.Difference(BCAST, GATHER, 1000));
    }

    @Test
    void whatIsTooLongAgoIsNotCompared() {
        int first = there.begin(GATHER);
        Notice waits = waiting(first, GATHER);
        for (int call = 0; call < 65; call++) {
            assertThat(here.begin(SCAN)).isEqualTo(call);
            assertThat(there.begin(SCAN)).isEqualTo(call + 1);
        }
        assertThat(here.compare(waits)).isNull();
        assertThat(there.waiting(first, GATHER)).isNull();
    }
}
