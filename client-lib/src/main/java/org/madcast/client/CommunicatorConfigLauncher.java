package org.madcast.client;

import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What starts processes, and the variables by which it tells each its place. In the order of the
 * constants the first whose rank variable is set counts: a launcher that runs inside another's
 * allocation (mpirun inside a Slurm job) knows better, since its processes also inherit the outer
 * one's variables, which describe the launcher itself.
 */
enum CommunicatorConfigLauncher {
    MADCAST("Madcast", "MADCAST_RANK", "MADCAST_SIZE", "MADCAST_JOB_ID"),
    OPEN_MPI(
            "Open MPI",
            "OMPI_COMM_WORLD_RANK",
            "MADCAST_SIZE OMPI_COMM_WORLD_SIZE",
            "MADCAST_JOB_ID PMIX_NAMESPACE OMPI_MCA_ess_base_jobid"),
    PMI("PMI", "PMI_RANK", "MADCAST_SIZE PMI_SIZE", "MADCAST_JOB_ID PMI_JOBID SLURM_JOB_ID"),
    SLURM("Slurm", "SLURM_PROCID", "MADCAST_SIZE SLURM_NTASKS", "MADCAST_JOB_ID SLURM_JOB_ID"),
    KUBERNETES(
            "Kubernetes indexed Job",
            "JOB_COMPLETION_INDEX",
            "MADCAST_SIZE",
            "MADCAST_JOB_ID HOSTNAME");

    private static final int LOWEST_PORT = 20_000;
    private static final int PORTS = 12_000;

    private final String title;
    private final String rankVariable;
    private final String sizeVariables;
    private final String jobVariables;

    /** Variables of which the first that is set counts are separated by spaces. */
    CommunicatorConfigLauncher(
            String title, String rankVariable, String sizeVariables, String jobVariables) {
        this.title = title;
        this.rankVariable = rankVariable;
        this.sizeVariables = sizeVariables;
        this.jobVariables = jobVariables;
    }

    /** The launcher that started a process with this environment. */
    static Optional<CommunicatorConfigLauncher> of(Map<String, String> environment) {
        return Arrays.stream(values())
                .filter(launcher -> isSet(environment, launcher.rankVariable))
                .findFirst();
    }

    /** Every launcher's rank variable, for messages. */
    static String rankVariables() {
        return Arrays.stream(values())
                .map(launcher -> launcher.rankVariable + " (" + launcher.title + ")")
                .collect(Collectors.joining(", "));
    }

    String title() {
        return title;
    }

    String rankVariable() {
        return rankVariable;
    }

    List<String> sizeVariables() {
        return List.of(sizeVariables.split(" "));
    }

    List<String> jobVariables() {
        return List.of(jobVariables.split(" "));
    }

    /** The job that a process with this environment and rank belongs to. */
    Optional<String> jobId(Map<String, String> environment, int rank) {
        Optional<String> given = firstSet(environment, List.of(MADCAST.jobVariables));
        if (given.isPresent()) {
            return given;
        }
        return switch (this) {
            case SLURM -> step(environment);
            case KUBERNETES -> podPrefix(environment, rank);
            default -> firstSet(environment, jobVariables());
        };
    }

    /** Steps of one Slurm job run side by side, so the step is a part of the name. */
    private static Optional<String> step(Map<String, String> environment) {
        return firstSet(environment, List.of("SLURM_JOB_ID"))
                .map(job ->
                        firstSet(environment, List.of("SLURM_STEP_ID"))
                                .map(step -> job + "." + step)
                                .orElse(job));
    }

    /** Pods of an indexed Job are called job-index. */
    private static Optional<String> podPrefix(Map<String, String> environment, int rank) {
        String suffix = "-" + rank;
        return firstSet(environment, List.of("HOSTNAME"))
                .filter(host -> host.endsWith(suffix) && host.length() > suffix.length())
                .map(host -> host.substring(0, host.length() - suffix.length()));
    }

    /**
     * Where the ranks meet if nothing says it: at the node of rank 0 as far as the launcher tells,
     * at a port that follows from the job. Empty where it does not tell.
     */
    Optional<InetSocketAddress> root(Map<String, String> environment, String jobId, int size) {
        Optional<String> host =
                switch (this) {
                    case OPEN_MPI -> sameHost(environment, "OMPI_COMM_WORLD_LOCAL_SIZE", size);
                    case PMI -> sameHost(environment, "MPI_LOCALNRANKS", size);
                    case SLURM ->
                            firstSet(environment, List.of("SLURM_STEP_NODELIST", "SLURM_NODELIST"))
                                    .map(CommunicatorConfigLauncher::firstNode);
                    default -> Optional.empty();
                };
        int port = LOWEST_PORT + Math.floorMod(jobId.hashCode(), PORTS);
        return host.map(name -> InetSocketAddress.createUnresolved(name, port));
    }

    /** This host, where as many ranks run on it as there are. */
    private static Optional<String> sameHost(
            Map<String, String> environment, String localSize, int size) {
        return firstSet(environment, List.of(localSize))
                .filter(Integer.toString(size)::equals)
                .map(_ -> "127.0.0.1");
    }

    /** The first of a list such as {@code n[01-16,20]-eth0,m3}. */
    private static String firstNode(String list) {
        String first = list.replaceFirst("^([^,\\[]*)\\[([^],-]*)[^]]*]([^,]*)", "$1$2$3,");
        int comma = first.indexOf(',');
        return comma < 0 ? first : first.substring(0, comma);
    }

    static Optional<String> firstSet(Map<String, String> environment, List<String> variables) {
        return variables.stream()
                .filter(variable -> isSet(environment, variable))
                .map(variable -> environment.getOrDefault(variable, "").trim())
                .findFirst();
    }

    static boolean isSet(Map<String, String> environment, String variable) {
        return !environment.getOrDefault(variable, "").isBlank();
    }
}
