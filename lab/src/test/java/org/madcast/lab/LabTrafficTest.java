package org.madcast.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the lab's network does with datagrams. */
class LabTrafficTest {
    private static final InetAddress GROUP = InetAddress.ofLiteral("239.77.0.1");
    private static final int ATTEMPTS = 10;
    private static final int COUNT = 2000;
    private static Lab lab;

    @BeforeAll
    static void makeLab() {
        LiveLab.assumeAvailable();
        lab = Lab.up(LabSpec.ofHosts(4));
    }

    @AfterAll
    static void takeLabDown() {
        if (lab != null) {
            lab.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"239.77.0.1", "ff15::77:1"})
    void multicastReachesThoseWhoJoinedAndNobodyElse(String literal) throws IOException {
        InetAddress group = InetAddress.ofLiteral(literal);
        try (Lab fresh = Lab.up(LabSpec.ofHosts(4));
                Talker talker = new Talker(fresh.host(0), group);
                Listener one = Listener.joined(fresh, 1, group);
                Listener two = Listener.joined(fresh, 2, group)) {
            Await.until(
                    "the switch lists the joined hosts",
                    () -> Set.of(1, 2).equals(fresh.groups().get(group)));
            HostCounters before = fresh.counters(3);
            talker.say(COUNT, 1000);
            talker.end(one, two);

            assertThat(one.heard()).isEqualTo(COUNT);
            assertThat(two.heard()).isEqualTo(COUNT);
            assertThat(fresh.counters(3).since(before).receivedBytes()).isLessThan(20_000);
            assertThat(fresh.counters(1).receivedBytes()).isGreaterThan(COUNT * 1000L);
        }
    }

    @Test
    void switchForgetsWhoLeaves() throws IOException {
        try (Listener one = Listener.joined(lab, 1, GROUP)) {
            Await.until("joined", () -> lab.groups().containsKey(GROUP));
            assertThat(one.heard()).isZero();
        }
        Await.until("left", () -> !lab.groups().containsKey(GROUP));
    }

    @Test
    void hostsLoseIndependentlyWhatTheyAreToldToLose() throws IOException {
        try (Talker talker = new Talker(lab.host(0), GROUP);
                Listener one = Listener.joined(lab, 1, GROUP);
                Listener two = Listener.joined(lab, 2, GROUP)) {
            lab.setLoss(1, 20);
            talker.say(COUNT, 64);
            talker.end(one, two);

            assertThat(COUNT - one.heard()).isBetween(COUNT / 5 - 120, COUNT / 5 + 120);
            assertThat(two.heard()).isEqualTo(COUNT);
        } finally {
            lab.setLoss(1, 0);
        }
        assertNothingIsLost();
    }

    @Test
    void whatTheUplinkLosesIsLostForAll() throws IOException {
        try (Talker talker = new Talker(lab.host(0), GROUP);
                Listener one = Listener.joined(lab, 1, GROUP);
                Listener two = Listener.joined(lab, 2, GROUP)) {
            lab.setUplinkLoss(0, 20);
            talker.say(COUNT, 64);
            talker.end(one, two);

            assertThat(COUNT - one.heard()).isBetween(COUNT / 5 - 120, COUNT / 5 + 120);
            assertThat(two.heard()).isEqualTo(one.heard());
        } finally {
            lab.setUplinkLoss(0, 0);
        }
        assertNothingIsLost();
    }

    @Test
    void everythingCanBeLost() throws IOException {
        try (Talker talker = new Talker(lab.host(0), GROUP);
                Listener one = Listener.joined(lab, 1, GROUP)) {
            lab.setUplinkLoss(0, 100);
            talker.say(COUNT, 64);
            lab.setUplinkLoss(0, 0);
            lab.setLoss(1, 100);
            talker.say(COUNT, 64);
            lab.setLoss(1, 0);
            talker.end(one);

            assertThat(one.heard()).isZero();
        } finally {
            lab.setUplinkLoss(0, 0);
            lab.setLoss(1, 0);
        }
        assertNothingIsLost();
    }

    @Test
    void blockedHostHearsUnicastOnly() throws IOException {
        try (Talker talker = new Talker(lab.host(0), GROUP);
                Talker direct = new Talker(lab.host(0), lab.host(1).address());
                Listener one = Listener.joined(lab, 1, GROUP);
                Listener two = Listener.joined(lab, 2, GROUP)) {
            lab.blockMulticast(1);
            talker.say(COUNT, 64);
            talker.end(two);
            assertThat(one.ended()).isFalse();
            direct.end(one);

            assertThat(one.heard()).isZero();
            assertThat(two.heard()).isEqualTo(COUNT);
        } finally {
            lab.unblockMulticast(1);
        }
        assertNothingIsLost();
    }

    @Test
    void cableCarriesItsRate() throws Exception {
        lab.setRate(0, Optional.of(LinkRate.parse("100mbit")));
        AtomicBoolean enough = new AtomicBoolean();
        try (Talker talker = new Talker(lab.host(0), GROUP);
                Listener one = Listener.joined(lab, 1, GROUP)) {
            Thread talking =
                    Thread.ofPlatform()
                            .start(() -> {
                                while (!enough.get()) {
                                    sayUnchecked(talker);
                                }
                            });
            Await.until("it flows", () -> one.heard() > 500);
            // A machine that is busy with something else does not fill the cable all the time.
            double fastest = 0;
            for (int i = 0; i < ATTEMPTS && fastest < 90; i++) {
                fastest = Math.max(fastest, measureReceivedMbitPerSecond(1));
            }
            enough.set(true);
            talking.join();

            assertThat(fastest).isCloseTo(100, within(10.0));
        } finally {
            lab.setRate(0, Optional.empty());
        }
    }

    @Test
    void aSlowPortHoldsNoSenderBack() throws IOException {
        // 1.7 s of a slow port, which keeps what it cannot send yet, and much more than a socket
        int count = 1500;
        int bytes = 1400;
        try (Listener _ = Listener.joined(lab, 1, GROUP);
                Listener _ = Listener.joined(lab, 2, GROUP);
                Listener _ = Listener.joined(lab, 3, GROUP);
                Talker talker = new Talker(lab.host(0), GROUP)) {
            for (int slow = 1; slow <= 3; slow++) {
                lab.setRate(slow, Optional.of(LinkRate.parse("10mbit")));
                // A machine that is busy may hold the sender back, but not each time.
                double leastS = Double.MAX_VALUE;
                for (int i = 0; i < ATTEMPTS && leastS >= 0.8; i++) {
                    long startNs = System.nanoTime();
                    talker.say(count, bytes);
                    leastS = Math.min(leastS, (System.nanoTime() - startNs) / 1e9);
                }
                lab.setRate(slow, Optional.empty());

                assertThat(leastS).as("with host %d slow", slow).isLessThan(0.8);
            }
        }
    }

    private static double measureReceivedMbitPerSecond(int host) {
        long startNs = System.nanoTime();
        HostCounters before = lab.counters(host);
        Await.until("a second passes", () -> System.nanoTime() - startNs > 1_000_000_000L);
        long bytes = lab.counters(host).since(before).receivedBytes();
        return bytes * 8e3 / (System.nanoTime() - startNs);
    }

    private static void sayUnchecked(Talker talker) {
        try {
            talker.say(10, 1400);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assertNothingIsLost() throws IOException {
        try (Talker talker = new Talker(lab.host(0), GROUP);
                Listener one = Listener.joined(lab, 1, GROUP);
                Listener silent = Listener.notJoined(lab.host(3))) {
            talker.say(COUNT, 64);
            talker.end(one);
            assertThat(one.heard()).isEqualTo(COUNT);
            assertThat(silent.heard()).isZero();
        }
    }
}
