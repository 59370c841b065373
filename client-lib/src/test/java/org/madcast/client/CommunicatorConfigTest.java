package org.madcast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.net.MalformedURLException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CommunicatorConfigTest {

    private static final Map<String, String> MADCAST =
            Map.of("MADCAST_RANK", "1", "MADCAST_SIZE", "3", "MADCAST_JOB_ID", "j1");

    private static CommunicatorConfig madcastWith(String variable, String value) {
        Map<String, String> environment = new HashMap<>(MADCAST);
        environment.put(variable, value);
        return CommunicatorConfig.fromEnvironment(environment);
    }

    private static void assertPlace(
            Map<String, String> environment, String job, int rank, int size) {
        CommunicatorConfig config = CommunicatorConfig.fromEnvironment(environment);
        assertThat(config.jobId()).isEqualTo(job);
        assertThat(config.rank()).isEqualTo(rank);
        assertThat(config.size()).isEqualTo(size);
    }

    @Test
    void readsMadcastsOwnVariables() {
        Map<String, String> environment = new HashMap<>(MADCAST);
        environment.put("MADCAST_SERVICE", "http://127.0.0.1:8730");
        environment.put("MADCAST_TOKEN", "s3cret");
        environment.put("MADCAST_OWNER_SECRET", "of-four-machines");
        environment.put("MADCAST_ROOT", "[::1]:4711");
        environment.put("MADCAST_INTERFACE", "eth0");
        environment.put("MADCAST_COMMUNICATOR", "left");
        environment.put("MADCAST_GROUP", "239.255.1.2:5000");
        environment.put("MADCAST_JOIN_TIMEOUT", "2min");
        environment.put("MADCAST_CROSSOVER_SIZE", "2MiB");
        CommunicatorConfig config = CommunicatorConfig.fromEnvironment(environment);
        assertThat(config.name()).isEqualTo("left");
        assertThat(config.serviceUri()).isEqualTo(URI.create("http://127.0.0.1:8730"));
        assertThat(config.serviceToken()).isEqualTo("s3cret");
        assertThat(config.ownerSecret()).isEqualTo("of-four-machines");
        assertThat(config.rootAddress()).isEqualTo(InetSocketAddress.createUnresolved("::1", 4711));
        assertThat(config.networkInterface()).isEqualTo("eth0");
        assertThat(config.group()).hasToString("239.255.1.2:5000");
        assertThat(config.joinTimeout()).isEqualTo(Duration.ofMinutes(2));
        assertThat(config.parameters().crossoverSizeBytes()).isEqualTo(2L << 20);
        assertThat(config.toString())
                .doesNotContain("s3cret")
                .doesNotContain("of-four")
                .contains("with a token");
    }

    @Test
    void thePatternOfTheObjectFilterAllowsAndRefuses() throws MalformedURLException {
        CommunicatorConfig config =
                madcastWith("MADCAST_OBJECT_FILTER", "java.net.URL;!java.util.*");
        ObjectCodec codec = new ObjectCodec(config.objectFilter());
        byte[] url = ObjectCodec.write(URI.create("http://localhost/").toURL());
        assertThat(codec.read(url)[0]).hasToString("http://localhost/");
        assertThatThrownBy(() -> codec.read(ObjectCodec.write(new ArrayList<>())))
                .isInstanceOf(ObjectException.class)
                .hasMessageContaining("java.util.ArrayList");
        assertThat(config.toString()).contains("object filter java.net.URL;!java.util.*");
    }

    /** An unmodified MPI program is started with no variables of Madcast. */
    @ParameterizedTest
    @CsvSource({
        "OMPI_COMM_WORLD_RANK, OMPI_COMM_WORLD_SIZE, OMPI_COMM_WORLD_LOCAL_SIZE, 4, 127.0.0.1",
        "OMPI_COMM_WORLD_RANK, OMPI_COMM_WORLD_SIZE, OMPI_COMM_WORLD_LOCAL_SIZE, 2, ",
        "PMI_RANK, PMI_SIZE, MPI_LOCALNRANKS, 4, 127.0.0.1",
        "SLURM_PROCID, SLURM_NTASKS, SLURM_STEP_NODELIST, 'n[01-03,7],m1', n01",
        "SLURM_PROCID, SLURM_NTASKS, SLURM_STEP_NODELIST, 'n[4,7]-x,m1', n4-x",
        "SLURM_PROCID, SLURM_NTASKS, SLURM_NODELIST, 'm1,n[1-2]', m1"
    })
    void whereNothingSaysItRanksMeetAtTheFirstNode(
            String rank, String size, String variable, String value, @Nullable String host) {
        Map<String, String> environment =
                new HashMap<>(Map.of(rank, "1", size, "4", "MADCAST_JOB_ID", "j", variable, value));
        assertThat(
                        Optional.ofNullable(
                                        CommunicatorConfig.fromEnvironment(environment)
                                                .rootAddress())
                                .map(InetSocketAddress::getHostString))
                .isEqualTo(Optional.ofNullable(host));
        environment.put("MADCAST_ROOT", "h:1");
        assertThat(CommunicatorConfig.fromEnvironment(environment).rootAddress())
                .isEqualTo(InetSocketAddress.createUnresolved("h", 1));
        environment.remove("MADCAST_ROOT");
        environment.put("MADCAST_SERVICE", "http://s:1");
        assertThat(CommunicatorConfig.fromEnvironment(environment).rootAddress()).isNull();
    }

    @Test
    void defaultsAreWorldAndHalfAMinute() {
        CommunicatorConfig config = CommunicatorConfig.fromEnvironment(MADCAST);
        assertThat(config.name()).isEqualTo("world");
        assertThat(config.joinTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(config.serviceUri()).isNull();
    }

    @Test
    void readsEveryLauncher() {
        assertPlace(MADCAST, "j1", 1, 3);
        assertPlace(
                Map.of("SLURM_PROCID", "2", "SLURM_NTASKS", "4", "SLURM_JOB_ID", "77"), "77", 2, 4);
        assertPlace(
                Map.of(
                        "SLURM_PROCID",
                        "2",
                        "SLURM_NTASKS",
                        "4",
                        "SLURM_JOB_ID",
                        "77",
                        "SLURM_STEP_ID",
                        "3"),
                "77.3",
                2,
                4);
        assertPlace(
                Map.of(
                        "OMPI_COMM_WORLD_RANK", "5",
                        "OMPI_COMM_WORLD_SIZE", "8",
                        "PMIX_NAMESPACE", "12345"),
                "12345",
                5,
                8);
        assertPlace(
                Map.of(
                        "OMPI_COMM_WORLD_RANK", "5",
                        "OMPI_COMM_WORLD_SIZE", "8",
                        "OMPI_MCA_ess_base_jobid", "99"),
                "99",
                5,
                8);
        assertPlace(
                Map.of("PMI_RANK", "0", "PMI_SIZE", "2", "MADCAST_JOB_ID", "mine"), "mine", 0, 2);
        assertPlace(
                Map.of(
                        "JOB_COMPLETION_INDEX", "3",
                        "MADCAST_SIZE", "4",
                        "HOSTNAME", "train-42-3"),
                "train-42",
                3,
                4);
    }

    @Test
    void theInnerLauncherCounts() {
        assertPlace(
                Map.of(
                        "SLURM_PROCID",
                        "0",
                        "SLURM_NTASKS",
                        "1",
                        "SLURM_JOB_ID",
                        "77",
                        "OMPI_COMM_WORLD_RANK",
                        "5",
                        "OMPI_COMM_WORLD_SIZE",
                        "8",
                        "PMIX_NAMESPACE",
                        "12345"),
                "12345",
                5,
                8);
    }

    @Test
    void saysWhatWasLookedFor() {
        assertThatThrownBy(() -> CommunicatorConfig.fromEnvironment(Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "MADCAST_RANK",
                        "SLURM_PROCID",
                        "OMPI_COMM_WORLD_RANK",
                        "PMI_RANK",
                        "JOB_COMPLETION_INDEX");
        assertThatThrownBy(() -> CommunicatorConfig.fromEnvironment(Map.of("PMI_RANK", "0")))
                .hasMessageContainingAll("number of ranks", "MADCAST_SIZE or PMI_SIZE");
        assertThatThrownBy(() ->
                        CommunicatorConfig.fromEnvironment(
                                Map.of("PMI_RANK", "0", "PMI_SIZE", "2")))
                .hasMessageContainingAll("job id", "MADCAST_JOB_ID or PMI_JOBID or SLURM_JOB_ID");
    }

    @ParameterizedTest
    @CsvSource({
        "MADCAST_RANK, 3, 0 to 2",
        "MADCAST_RANK, x, 0 to 2",
        "MADCAST_SIZE, 0, 1 to 65535",
        "MADCAST_SIZE, 70000, 1 to 65535",
        "MADCAST_SERVICE, localhost, http://host:port",
        "MADCAST_SERVICE, ftp://x, http://host:port",
        "MADCAST_SERVICE, http://a b, http://host:port",
        "MADCAST_ROOT, host, host:port",
        "MADCAST_ROOT, ::1:80, host:port",
        "MADCAST_ROOT, host:0, 1 to 65535",
        "MADCAST_GROUP, 10.0.0.1:5000, not a multicast address",
        "MADCAST_GROUP, group:5000, 'group'",
        "MADCAST_MADCAP, host:0, 'auto, off, host'",
        "MADCAST_MADCAP, a:1:2, 'auto, off, host'",
        "MADCAST_JOIN_TIMEOUT, soon, 500ms",
        "MADCAST_OBJECT_FILTER, maxdepth=deep, MADCAST_OBJECT_FILTER",
        "MADCAST_TTL, 256, 0 to 255"
    })
    void refusesWithTheValueAndWhatIsAllowed(String variable, String value, String allowed) {
        assertThatThrownBy(() -> madcastWith(variable, value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(value)
                .hasMessageContaining(allowed);
    }

    @Test
    void builderRefusesWhatIsOutOfRange() {
        assertThatThrownBy(() -> CommunicatorConfig.builder("j", 4, 4).build())
                .hasMessage("rank 4 is outside 0 to 3 (size 4)");
        assertThatThrownBy(() -> CommunicatorConfig.builder(" ", 0, 1).build())
                .hasMessageContaining("job id");
        assertThatThrownBy(() ->
                        CommunicatorConfig.builder("j", 0, 1).joinTimeout(Duration.ZERO).build())
                .hasMessageContaining("join timeout 0 s is");
    }
}
