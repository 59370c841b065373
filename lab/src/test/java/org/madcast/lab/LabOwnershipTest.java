package org.madcast.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Labs come and go without touching each other, however their makers end. */
class LabOwnershipTest {
    private static final InetAddress GROUP = InetAddress.ofLiteral("239.77.0.3");

    @BeforeAll
    static void needsLab() {
        LiveLab.assumeAvailable();
    }

    @Test
    void takingOneLabDownLeavesTheOtherWorking() throws IOException {
        Lab first = Lab.up(LabSpec.ofHosts(2));
        try (Lab second = Lab.up(LabSpec.ofHosts(2))) {
            assertThat(first.host(0).address()).isNotEqualTo(second.host(0).address());
            first.close();
            first.close();
            assertGone(first);
            try (Talker talker = new Talker(second.host(0), GROUP);
                    Listener listener = Listener.joined(second, 1, GROUP)) {
                talker.say(100, 100);
                talker.end(listener);
                assertThat(listener.heard()).isEqualTo(100);
            }
        } finally {
            first.close();
        }
    }

    @Test
    void labOfKilledOwnerIsReaped() throws Exception {
        Process owner = startOwner();
        Lab lab = announced(owner);
        Process inside = lab.host(1).start(new ProcessBuilder("sleep", "1000"));
        assertThat(lab.isOrphan()).isFalse();
        assertThat(Lab.reap()).doesNotContain(lab.spec().name());
        owner.destroyForcibly().waitFor();

        assertThat(lab.isOrphan()).isTrue();
        assertThat(Lab.reap()).contains(lab.spec().name());
        assertGone(lab);
        assertThat(inside.waitFor()).isNotZero();
    }

    @Test
    void detachedLabOutlivesItsOwnerUntilSomebodyClosesIt() throws Exception {
        Process owner = startOwner("detached");
        Lab lab = announced(owner);
        owner.destroyForcibly().waitFor();

        assertThat(Lab.reap()).doesNotContain(lab.spec().name());
        assertThat(Namespaces.exists(lab.host(0).namespace())).isTrue();
        lab.close();
        assertGone(lab);
    }

    @Test
    void terminatedOwnerTakesItsLabDownInItsShutdownHook() throws Exception {
        Process owner = startOwner();
        Lab lab = announced(owner);
        owner.destroy();
        owner.waitFor();
        assertGone(lab);
    }

    @Test
    void interruptedUpLeavesNothing() throws Exception {
        LabSpec spec = LabSpec.builder().name("lcut").hosts(64).build();
        AtomicReference<RuntimeException> failure = new AtomicReference<>();
        Thread maker =
                Thread.ofPlatform()
                        .start(() -> {
                            try {
                                Lab.up(spec).close();
                            } catch (LabException e) {
                                failure.set(e);
                            }
                        });
        Await.until("it has begun", () -> Namespaces.exists("lcut-h0") || !maker.isAlive());
        maker.interrupt();
        maker.join();
        assertThat(failure.get()).hasMessageContaining("interrupted");
        assertThat(Lab.find("lcut")).isEmpty();
        assertThat(Namespaces.exists("lcut-sw")).isFalse();
        assertThat(Namespaces.exists("lcut-h63")).isFalse();
    }

    @Test
    void foreignNamespaceIsRefusedAndLeftAlone() {
        Commands.run("ip", List.of("netns", "add", "lforeign-h1"));
        try {
            assertThatThrownBy(() -> Lab.up(LabSpec.builder().name("lforeign").hosts(2).build()))
                    .isInstanceOf(LabException.class)
                    .hasMessageContaining("lforeign-h1");
            assertThat(Namespaces.exists("lforeign-h1")).isTrue();
            assertThat(Lab.find("lforeign")).isEmpty();
        } finally {
            Commands.run("ip", List.of("netns", "delete", "lforeign-h1"));
        }
    }

    @Test
    void processThatDoesNotListenIsEndedAllTheSame() throws Exception {
        Lab lab = Lab.up(LabSpec.ofHosts(1));
        try {
            String script = "trap '' TERM; echo ready; while :; do sleep 1; done";
            Process stubborn = lab.host(0).start(new ProcessBuilder("sh", "-c", script));
            assertThat(stubborn.inputReader().readLine()).isEqualTo("ready");
            lab.close();
            assertThat(stubborn.waitFor()).isEqualTo(128 + 9);
        } finally {
            lab.close();
        }
        assertGone(lab);
    }

    @Test
    void nameIsTakenOnce() {
        LabSpec spec = LabSpec.builder().name("ltwice").hosts(1).build();
        try (Lab lab = Lab.up(spec)) {
            assertThatThrownBy(() -> Lab.up(spec)).hasMessageContaining("ltwice");
            assertThat(Lab.find("ltwice").orElseThrow().spec()).isEqualTo(spec);
            assertThat(Lab.list()).extracting(Lab::spec).contains(spec);
            assertThat(lab.owner().isAlive()).isTrue();
        }
    }

    @Test
    void failedCommandTellsItselfInOneLine() {
        assertThatThrownBy(() -> Commands.run("ip", List.of("link", "show", "nosuchlink")))
                .isInstanceOf(LabException.class)
                .hasMessageMatching("\\S*ip link show nosuchlink: exit code 1: .*nosuchlink.*");
        assertThatThrownBy(() -> Namespaces.call("nosuchspace", () -> 1))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("no such namespace");
    }

    private static void assertGone(Lab lab) {
        assertThat(Lab.find(lab.spec().name())).isEmpty();
        assertThat(Namespaces.exists(lab.switchNamespace())).isFalse();
        assertThat(lab.hosts()).noneMatch(host -> Namespaces.exists(host.namespace()));
        assertThat(lab.processes()).isEmpty();
    }

    private static Process startOwner(String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-Xmx64m",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                LabOwningProgram.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private static Lab announced(Process owner) throws IOException {
        BufferedReader reader = owner.inputReader();
        String name = reader.readLine();
        assertThat(name).isNotNull();
        return Lab.find(name).orElseThrow();
    }
}
