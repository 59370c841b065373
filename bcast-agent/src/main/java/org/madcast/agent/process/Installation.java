package org.madcast.agent.process;

import java.nio.file.Files;
import java.nio.file.Path;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;

/** Where this program and what belongs to it lie; the launcher says it. */
public final class Installation {

    /** The system property that holds the directory of the launcher. */
    public static final String HOME_PROPERTY = "madcast.home";

    private Installation() {}

    /** The service's archive. */
    public static Path serviceJar() {
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
