package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.madcast.netsim.RandomStream;
import org.madcast.netsim.Seeds;

class LinkMeterTest {

    /** 100 Mbit/s. */
    private static final double RATE = 0.0125;

    private static final int FULL_BYTES = 120_000;

    private final LinkMeter meter = new LinkMeter();
    private double queued;
    private long nowNs;

    private void pass(long ns) {
        nowNs += ns;
        queued = Math.max(0, queued - RATE * ns);
    }

    private void send(long bytes) {
        queued += bytes;
        meter.onSent(bytes);
        meter.onQueue(nowNs, (long) queued);
    }

    @Test
    void beforeAnythingWasSentNothingIsKnown() {
        assertThat(meter.bytesPerNs()).isZero();
        assertThat(meter.takeFresh()).isFalse();
    }

    /** The sender wakes at any time and fills the queue up. */
    @Test
    void aQueueThatIsNeverEmptyShowsWhatTheLinkCarries() {
        Seeds.forEach(
                20,
                seed -> {
                    LinkMeterTest test = new LinkMeterTest();
                    RandomStream random = RandomStream.of(seed, "wakes");
                    for (int i = 0; i < 200; i++) {
                        test.send((long) (FULL_BYTES - test.queued));
                        test.pass(100_000L + random.nextInt(4_000_000));
                    }
                    assertThat(test.meter.takeFresh()).isTrue();
                    assertThat(test.meter.takeFresh()).isFalse();
                    assertThat(test.meter.bytesPerNs()).isCloseTo(RATE, within(RATE / 100));
                });
    }

    /** As when 1472 bytes take 2304 in the kernel: a queue that is still filling shows too much. */
    @Test
    void aQueueThatIsCountedTwiceIsSeenThroughWhenItIsAsLongAsBefore() {
        for (long full = 30_000; full <= 4 * FULL_BYTES; full += 5000) {
            meter.onSent((long) (full - queued));
            queued = full;
            meter.onQueue(nowNs, (long) (1.57 * queued));
            pass(500_000);
        }
        for (int i = 0; i < 200; i++) {
            long sent = (long) (4 * FULL_BYTES - queued);
            queued += sent;
            meter.onSent(sent);
            meter.onQueue(nowNs, (long) (1.57 * queued));
            pass(i % 2 == 0 ? 500_000 : 2_000_000);
        }
        assertThat(meter.bytesPerNs()).isCloseTo(RATE, within(RATE / 25));
    }

    @Test
    void aSenderThatIsSlowerThanTheLinkLearnsNothing() {
        for (int i = 0; i < 1000; i++) {
            send(12_000);
            pass(1_000_000);
        }
        assertThat(meter.takeFresh()).isFalse();
        assertThat(meter.bytesPerNs()).isZero();
    }

    /** Messages with pauses between them, in which the queue drains: the pause is not counted. */
    @Test
    void pausesBetweenMessagesDoNotCount() {
        for (int message = 0; message < 10; message++) {
            for (int i = 0; i < 40; i++) {
                send((long) (FULL_BYTES - queued));
                pass(2_000_000);
            }
            pass(100_000_000);
        }
        assertThat(meter.bytesPerNs()).isCloseTo(RATE, within(RATE / 100));
    }

    @Test
    void withoutAnyWordAboutTheQueueNothingIsKnown() {
        for (int i = 0; i < 1000; i++) {
            meter.onSent(12_000);
            meter.onQueue(nowNs += 1_000_000, 0);
        }
        assertThat(meter.bytesPerNs()).isZero();
    }
}
