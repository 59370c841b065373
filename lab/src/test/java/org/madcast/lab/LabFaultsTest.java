package org.madcast.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Faults that come and go while a lab is up: bursts of loss, partitions, paused hosts. */
class LabFaultsTest {
    private static final InetAddress GROUP = InetAddress.ofLiteral("239.77.0.4");

    @BeforeAll
    static void needsLab() {
        LiveLab.assumeAvailable();
    }

    @Test
    void aBurstIsARunOfLosses() throws IOException {
        try (Lab lab = Lab.up(LabSpec.ofHosts(4));
                Talker talker = new Talker(lab.host(0), GROUP);
                Listener one = Listener.joined(lab, 1, GROUP);
                Listener two = Listener.joined(lab, 2, GROUP)) {
            lab.setBurstLoss(1, 2000, 1000); // host 1 of 4: behind 250 that it hears
            talker.say(200, 64);
            Await.until("nothing is lost before the run", () -> one.heard() == 200);
            talker.say(1000, 64);
            Await.until("two hears all", () -> two.heard() == 1200);
            assertThat(one.heard()).isEqualTo(250);
            talker.say(800, 64);
            talker.end(one, two);
            assertThat(one.heard()).isEqualTo(1000);
            assertThat(two.heard()).isEqualTo(2000);
        }
    }

    @Test
    void aBurstThatIsLongerThanItsPeriodIsRefused() {
        try (Lab lab = Lab.up(LabSpec.ofHosts(1))) {
            assertThatThrownBy(() -> lab.setBurstLoss(0, 10, 11))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("11 in every 10");
        }
    }

    @Test
    void aPartitionSeparatesItsSidesAndHeals() throws IOException {
        // Two switches, and the island is across both: it is who talks that counts.
        LabSpec spec = LabSpec.builder().hosts(4).switches(2).build();
        try (Lab lab = Lab.up(spec);
                Talker talker = new Talker(lab.host(0), GROUP);
                Talker direct = new Talker(lab.host(1), lab.host(0).address());
                Listener zero = Listener.notJoined(lab.host(0));
                Listener one = Listener.joined(lab, 1, GROUP);
                Listener two = Listener.joined(lab, 2, GROUP)) {
            lab.partition(Set.of(0, 2));
            talker.say(100, 64);
            direct.say(100, 64);
            talker.end(two);
            assertThat(two.heard()).isEqualTo(100);
            assertThat(one.heard()).isZero();
            assertThat(one.ended()).isFalse();
            assertThat(zero.heard()).isZero();

            lab.heal();
            talker.say(100, 64);
            talker.end(one);
            assertThat(one.heard()).isEqualTo(100);
            direct.end(zero);
        }
    }

    @Test
    void aPausedHostStandsStillUntilItIsResumed() throws Exception {
        Process paused;
        try (Lab lab = Lab.up(LabSpec.ofHosts(2))) {
            paused = lab.host(0).start(new ProcessBuilder("sleep", "1000"));
            Process other = lab.host(1).start(new ProcessBuilder("sleep", "1000"));
            Await.until("both are inside", () -> lab.processes().size() == 2);
            lab.pause(0);
            Await.until("it stands still", () -> state(paused) == 'T');
            assertThat(state(other)).isNotEqualTo('T');
            lab.resume(0);
            Await.until("it goes on", () -> state(paused) != 'T');
            lab.pause(0);
        }
        assertThat(paused.waitFor()).isNotZero();
    }

    @Test
    void aHostWithoutProcessesCanBePaused() {
        try (Lab lab = Lab.up(LabSpec.ofHosts(1))) {
            lab.pause(0);
            lab.resume(0);
            assertThat(lab.processes()).isEmpty();
        }
    }

    private static char state(Process process) {
        try {
            String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            return '-';
        }
    }
}
