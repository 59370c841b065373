package org.madcast.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A Slurm of its own on this machine: a controller, several nodes that are daemons on ports of
 * their own, and munge. The hooks of packaging/slurm are in force. Needs root.
 */
final class SlurmCluster implements AutoCloseable {

    static final List<String> PROGRAMS =
            List.of("slurmctld", "slurmd", "munged", "sbatch", "srun", "scancel", "curl");

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final Path directory;
    private final Path configuration;
    private final List<Process> daemons = new ArrayList<>();

    /** Starts it below the directory with so many nodes, for a service on this machine. */
    SlurmCluster(Path directory, int nodes, Service service) throws Exception {
        this.directory = directory;
        this.configuration = directory.resolve("slurm.conf");
        Path hooks = hooks(service);
        Files.createDirectories(directory.resolve("state"));
        Files.writeString(configuration, configuration(nodes, hooks));
        try {
            startMunge();
            start("slurmctld", "-D", "-f", configuration.toString());
            for (int node = 1; node <= nodes; node++) {
                start("slurmd", "-D", "-N", "c" + node, "-f", configuration.toString());
            }
            Waiting.until(nodes + " idle nodes", LIMIT, () -> idleNodes() == nodes);
        } catch (Exception | AssertionError failure) {
            close();
            throw new AssertionError(failure.getMessage() + "\n" + logs(), failure);
        }
    }

    /** Where the controller keeps the leases of running jobs. */
    Path leases() {
        return directory.resolve("leases");
    }

    /** Submits a script to so many nodes; returns the job's number. */
    int submit(int nodes, Path output, String script) throws Exception {
        Path file = Files.writeString(Files.createTempFile(directory, "job", ".sh"), script);
        String id =
                run(
                        "sbatch",
                        "--parsable",
                        "-N" + nodes,
                        "-n" + nodes,
                        "-o",
                        output.toString(),
                        "-D",
                        directory.toString(),
                        file.toString());
        return Integer.parseInt(id);
    }

    /** Runs one of Slurm's commands and returns what it prints. */
    String run(String... command) throws Exception {
        return new Program()
                .with("SLURM_CONF", configuration.toString())
                .run(LIMIT, command)
                .orFail();
    }

    private long idleNodes() throws Exception {
        return run("sinfo", "-h", "-N", "-o", "%T").lines().filter("idle"::equals).count();
    }

    private void startMunge() throws Exception {
        Path key = directory.resolve("munge.key");
        Files.write(key, new java.security.SecureRandom().generateSeed(128));
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("r--------"));
        start(
                "munged",
                "--foreground",
                "--force",
                "--key-file=" + key,
                "--socket=" + directory.resolve("munge.socket"),
                "--pid-file=" + directory.resolve("munge.pid"),
                "--log-file=" + directory.resolve("munge.log"),
                "--seed-file=" + directory.resolve("munge.seed"));
        Waiting.until("munge", LIMIT, () -> Files.exists(directory.resolve("munge.socket")));
    }

    private void start(String... command) throws IOException {
        Path output = directory.resolve("daemon-" + daemons.size() + ".log");
        daemons.add(new Program().start(output, List.of(command)));
    }

    /** Slurm gives hooks no variables, so each is called by a script that sets its own. */
    private Path hooks(Service service) throws Exception {
        Path hooks = Files.createDirectories(directory.resolve("hooks"));
        Path settings = directory.resolve("madcast-slurm");
        Path installed = Files.createDirectories(directory.resolve("installed"));
        new Program()
                .run(
                        LIMIT,
                        Project.path("packaging/systemd/install").toString(),
                        "--destdir",
                        installed.toString())
                .orFail();
        Files.writeString(
                settings,
                """
                MADCAST_SERVICE=http://127.0.0.1:%d
                MADCAST_COMMAND=%s
                MADCAST_SLURM_LEASES=%s
                MADCAST_SLURM_JOBS=%s
                MADCAST_SLURM_DURATION=1h
                """
                        .formatted(
                                service.port(),
                                installed.resolve("usr/bin/madcast"),
                                leases(),
                                directory.resolve("jobs")));
        Path lib = installed.resolve("usr/lib/madcast");
        try (Stream<Path> scripts = Files.list(lib.resolve("slurm"))) {
            for (Path script : scripts.toList()) {
                Path hook = hooks.resolve(script.getFileName().toString());
                Files.writeString(
                        hook,
                        """
                        #!/bin/sh
                        export MADCAST_SLURM_CONFIGURATION=%s MADCAST_LIB=%s JAVA_HOME=%s
                        exec %s
                        """
                                .formatted(settings, lib, System.getProperty("java.home"), script));
                Files.setPosixFilePermissions(hook, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
        return hooks;
    }

    private String configuration(int nodes, Path hooks) throws IOException {
        StringBuilder text =
                new StringBuilder(
                        """
                        ClusterName=madcast
                        SlurmctldHost=localhost(127.0.0.1)
                        SlurmctldPort=%d
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
                        KillWait=2
                        PrologSlurmctld=%3$s/madcast-prolog-slurmctld
                        EpilogSlurmctld=%3$s/madcast-epilog-slurmctld
                        Prolog=%3$s/madcast-prolog
                        TaskProlog=%3$s/madcast-task-prolog
                        Epilog=%3$s/madcast-epilog
                        """
                                .formatted(FreePorts.next(), directory, hooks));
        for (int node = 1; node <= nodes; node++) {
            text.append(
                    "NodeName=c%d NodeHostname=localhost NodeAddr=127.0.0.1 Port=%d CPUs=1 State=UNKNOWN\n"
                            .formatted(node, FreePorts.next()));
        }
        return text + "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n";
    }

    /** What the daemons said, for messages. */
    String logs() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int daemon = 0; daemon < daemons.size(); daemon++) {
            text.append(Project.read(directory.resolve("daemon-" + daemon + ".log")));
        }
        return text.toString();
    }

    @Override
    public void close() {
        daemons.reversed().forEach(daemon -> Daemons.end(daemon, Duration.ofSeconds(15)));
    }
}
