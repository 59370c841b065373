package org.madcast.agent.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;

/** Where this program and what belongs to it lie; the launcher says it. */
public final class Installation {

    /** The system property that holds the directory of the launcher. */
    public static final String HOME_PROPERTY = "madcast.home";

    private Installation() {}

    /** The service's archive; unpacked, which starts sooner, where there is one as new. */
    public static Path serviceJar() {
        Path packed = packedServiceJar();
        Path unpacked = packed.resolveSibling("app").resolve(packed.getFileName());
        return isNewer(unpacked, packed) ? unpacked : packed;
    }

    /**
     * Options with which the JVM starts the service from what it loaded the last time; none where
     * the launcher has not recorded that for this archive.
     */
    public static List<String> serviceStartOptions() {
        Path recorded = cache().resolve("service.aot");
        return isNewer(recorded, serviceJar()) ? startFrom(recorded) : List.of();
    }

    /** The archive with the MPI APIs and all that they need, where it was built or installed. */
    public static Optional<Path> mpiJar() {
        String home = System.getProperty(HOME_PROPERTY);
        return Stream.of("mpi/target/mpi.jar", "mpi.jar")
                .filter(_ -> home != null)
                .map(place -> Path.of(home, place))
                .filter(Files::isReadable)
                .findFirst();
    }

    /**
     * The same for a JVM that runs something else, by the name of what the launcher recorded. A
     * record that does not fit is passed over without a word, and one that is older than mpi.jar.
     */
    public static List<String> recorded(String name) {
        String home = System.getProperty(HOME_PROPERTY);
        return Stream.of("target/madcast", "")
                .filter(_ -> home != null)
                .map(place -> Path.of(home, place, name))
                .filter(Files::isReadable)
                .filter(file -> mpiJar().stream().allMatch(jar -> isNewer(file, jar)))
                .findFirst()
                .map(Installation::startFrom)
                .orElse(List.of());
    }

    private static List<String> startFrom(Path recorded) {
        return List.of(
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-AOTAdapterCaching",
                "-XX:AOTCache=" + recorded,
                "-Xlog:aot=off",
                "-Xlog:cds=off");
    }

    private static boolean isNewer(Path file, Path than) {
        try {
            return Files.isRegularFile(file)
                    && Files.getLastModifiedTime(file).compareTo(Files.getLastModifiedTime(than))
                            >= 0;
        } catch (IOException gone) {
            return false;
        }
    }

    private static Path packedServiceJar() {
        Path jar = home().resolve("allocator-service/target/allocator-service.jar");
        if (!Files.isRegularFile(jar)) {
            throw new CommandFailure(
                    ExitCode.SERVICE, jar + " is missing; run 'madcast build' first");
        }
        return jar;
    }

    /** What may be kept between runs and made again when it is gone. */
    public static Path cache() {
        return home().resolve("target/madcast");
    }

    private static Path home() {
        String home = System.getProperty(HOME_PROPERTY);
        if (home == null) {
            throw new CommandFailure(
                    ExitCode.INTERNAL, "start this program through the launcher 'madcast'");
        }
        return Path.of(home);
    }
}
