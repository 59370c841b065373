package org.madcast.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The hooks of packaging/slurm on a real Slurm of four nodes. */
@Tag("slow")
class SlurmIT {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** Every task prints its node and group; the job goes on until a file allows its end. */
    private static final String SCRIPT =
            """
            #!/bin/sh
            echo "batch $SLURMD_NODENAME $MADCAST_GROUP"
            srun sh -c 'echo "task $SLURMD_NODENAME $MADCAST_GROUP"'
            echo running
            while [ ! -e end-$SLURM_JOB_ID ]; do sleep 0.2; done
            exit 3
            """;

    @TempDir Path directory;

    @Test
    void twoJobsHaveGroupsOfTheirOwnUntilTheyEndOrAreCancelled() throws Exception {
        assumeTrue(
                SlurmCluster.PROGRAMS.stream().allMatch(Program::exists),
                "Slurm is not installed (Debian: slurm-wlm, munge, curl)");
        assumeTrue("root".equals(System.getProperty("user.name")), "not root");
        try (RunningService running = new RunningService(directory.resolve("service"));
                SlurmCluster slurm = new SlurmCluster(directory, 4, running.service())) {
            Service service = running.service();
            Path firstOutput = directory.resolve("first");
            Path secondOutput = directory.resolve("second");
            int first = slurm.submit(2, firstOutput, SCRIPT);
            int second = slurm.submit(2, secondOutput, SCRIPT);
            for (Path output : List.of(firstOutput, secondOutput)) {
                Waiting.until(output + " runs", LIMIT, () -> says(output, "running"));
            }
            String firstGroup = groupOfAllTasks(firstOutput, 2);
            String secondGroup = groupOfAllTasks(secondOutput, 2);
            assertThat(firstGroup).matches("239\\.[0-9.]+:[0-9]+").isNotEqualTo(secondGroup);
            assertThat(service.leases("slurm-" + first, "ACTIVE")).isEqualTo(1);
            assertThat(service.leases("slurm-" + second, "ACTIVE")).isEqualTo(1);

            slurm.run("scancel", Integer.toString(second));
            awaitRelease(service, second);
            assertThat(service.leases("slurm-" + first, "ACTIVE")).isEqualTo(1);

            Files.createFile(directory.resolve("end-" + first));
            awaitRelease(service, first);
            Waiting.until("no lease kept", LIMIT, () -> isEmpty(slurm.leases()));
        }
    }

    private static boolean isEmpty(Path kept) throws Exception {
        try (Stream<Path> files = Files.list(kept)) {
            return files.findAny().isEmpty();
        }
    }

    private static boolean says(Path output, String line) throws Exception {
        return Files.exists(output) && Files.readAllLines(output).contains(line);
    }

    private static String groupOfAllTasks(Path output, int nodes) throws Exception {
        List<String> lines =
                Files.readAllLines(output).stream().filter(it -> !it.equals("running")).toList();
        assertThat(lines.stream().filter(it -> it.startsWith("task "))).hasSize(nodes);
        Set<String> groups =
                lines.stream()
                        .map(it -> it.substring(it.lastIndexOf(' ') + 1))
                        .collect(Collectors.toSet());
        assertThat(groups).as("%s", lines).hasSize(1);
        return groups.iterator().next();
    }

    private static void awaitRelease(Service service, int job) throws Exception {
        Waiting.until(
                "release of job " + job,
                LIMIT,
                () ->
                        service.leases("slurm-" + job, "RELEASED") == 1
                                && service.leases("slurm-" + job, "ACTIVE") == 0);
    }
}
