package org.madcast.agent.process;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import picocli.CommandLine.Option;

/** The options of every command that starts ranks on hosts of a list. */
public final class HostFileOptions {

    /** Host lists often name the machine itself like that. */
    private static final Set<String> LOCAL = Set.of("localhost", "127.0.0.1", "::1");

    @Option(
            names = "--hostfile",
            paramLabel = "FILE",
            description =
                    "Start the ranks over ssh on these hosts: lines of 'host', 'host:N' or 'host"
                            + " slots=N'. Further ranks begin with the first host again.")
    private @Nullable Path file;

    @Option(
            names = "--ssh",
            paramLabel = "COMMAND",
            defaultValue = "ssh -o BatchMode=yes",
            description = "The command that runs another on a host (default '${DEFAULT-VALUE}').")
    private String ssh = "";

    /** The command that runs another on a host. */
    public String ssh() {
        return ssh;
    }

    /** Whether hosts are named, in a file that may not be there. */
    public boolean isGiven() {
        return file != null;
    }

    /**
     * The hosts of the file; empty without one.
     *
     * @throws CommandFailure when it cannot be read, or names none
     */
    public Optional<SshHosts> hosts() {
        if (file == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(of(HostFile.read(file)));
        } catch (NoSuchFileException e) {
            throw new CommandFailure(ExitCode.NO_INPUT, file + " does not exist", e);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.NO_INPUT, file + ": " + e.getMessage(), e);
        }
    }

    /** These hosts, reached by the same command. */
    public SshHosts of(List<String> names) {
        return SshHosts.of(names, List.of(ssh.strip().split("\\s+")));
    }

    /** True when all are this machine, for which no ssh is needed. */
    public static boolean areHere(SshHosts hosts) {
        return LOCAL.containsAll(hosts.names());
    }
}
