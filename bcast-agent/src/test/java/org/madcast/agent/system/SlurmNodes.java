package org.madcast.agent.system;

import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A Slurm of its own: munge, a controller, and nodes that are daemons of this machine. */
final class SlurmNodes implements AutoCloseable {

    static final List<String> PROGRAMS = List.of("munged", "slurmctld", "slurmd", "srun", "sinfo");

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final Path directory;
    private final Path configuration;
    private final List<Process> daemons = new ArrayList<>();

    private SlurmNodes(Path directory) {
        this.directory = directory;
        this.configuration = directory.resolve("slurm.conf");
    }

    static SlurmNodes up(Path directory, int nodes) throws Exception {
        SlurmNodes made = new SlurmNodes(directory);
        try {
            Files.createDirectory(directory.resolve("state"));
            made.configure(nodes);
            made.startMunge();
            made.daemon("slurmctld", "-D", "-f", made.configuration.toString());
            for (int node = 1; node <= nodes; node++) {
                made.daemon("slurmd", "-D", "-N", "c" + node, "-f", made.configuration.toString());
            }
            made.await(nodes + " idle nodes", () -> made.idleNodes() == nodes);
            return made;
        } catch (Exception | AssertionError failed) {
            made.close();
            throw failed;
        }
    }

    private void configure(int nodes) throws IOException {
        StringBuilder text =
                new StringBuilder(
                        """
                        ClusterName=madcast
                        SlurmctldHost=localhost(127.0.0.1)
                        SlurmctldPort=%1$d
                        SlurmUser=root
                        SlurmdUser=root
                        AuthType=auth/munge
                        AuthInfo=socket=%2$s/munge.socket
                        CredType=cred/munge
                        StateSaveLocation=%2$s/state
                        SlurmdSpoolDir=%2$s/spool-%%n
                        SlurmctldPidFile=%2$s/slurmctld.pid
                        SlurmdPidFile=%2$s/slurmd-%%n.pid
                        ProctrackType=proctrack/linuxproc
                        TaskPlugin=task/none
                        MpiDefault=none
                        SelectType=select/cons_tres
                        SelectTypeParameters=CR_Core
                        SlurmdParameters=config_overrides
                        ReturnToService=2
                        """
                                .formatted(Program.freePort(), directory));
        for (int node = 1; node <= nodes; node++) {
            text.append(
                    "NodeName=c%d NodeHostname=localhost NodeAddr=127.0.0.1 Port=%d CPUs=2 State=UNKNOWN\n"
                            .formatted(node, Program.freePort()));
        }
        text.append("PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n");
        Files.writeString(configuration, text);
    }

    private void startMunge() throws Exception {
        byte[] secret = new byte[128];
        new SecureRandom().nextBytes(secret);
        Path key = Files.write(directory.resolve("munge.key"), secret);
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("r--------"));
        List<String> command = new ArrayList<>(List.of("munged", "--foreground", "--force"));
        command.add("--key-file=" + key);
        for (String kind : List.of("socket", "pid", "log", "seed")) {
            String option = kind.equals("socket") ? "socket" : kind + "-file";
            command.add("--" + option + "=" + directory.resolve("munge." + kind));
        }
        daemon(command.toArray(String[]::new));
        await("munge", () -> Files.exists(directory.resolve("munge.socket")));
    }

    private void daemon(String... command) throws IOException {
        Path log = directory.resolve("daemon-" + daemons.size() + ".log");
        daemons.add(
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start());
    }

    private long idleNodes() throws Exception {
        return run(Map.of(), "sinfo", "-h", "-N", "-o", "%T")
                .lines()
                .filter("idle"::equals)
                .count();
    }

    /** Runs one of Slurm's commands; what it said on both outputs. */
    String run(Map<String, String> variables, String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("SLURM_CONF", configuration.toString());
        builder.environment().putAll(variables);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }

    private void await(String what, Callable<Boolean> condition) throws Exception {
        long deadlineNs = System.nanoTime() + LIMIT.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() - deadlineNs > 0) {
                StringBuilder logs = new StringBuilder();
                for (int i = 0; i < daemons.size(); i++) {
                    logs.append(Files.readString(directory.resolve("daemon-" + i + ".log")));
                }
                fail("no " + what + " within " + LIMIT + "\n" + logs);
            }
            LockSupport.parkNanos(100_000_000);
        }
    }

    @Override
    public void close() {
        for (Process daemon : daemons.reversed()) {
            daemon.destroy();
            try {
                if (!daemon.waitFor(15, TimeUnit.SECONDS)) {
                    daemon.destroyForcibly();
                }
            } catch (InterruptedException _) {
                daemon.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }
}
