package org.madcast.agent.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Hosts on which commands run over ssh. Immutable.
 *
 * @param names the hosts, which may name one several times; further ranks begin with the first
 *     again
 * @param ssh the command that runs one on a host, without the host
 * @param directory where commands are started, if it is there
 */
public record SshHosts(List<String> names, List<String> ssh, String directory) {

    /** First the JDK and the library of this machine, which may be there, too. */
    private static final String PATHS =
            "PATH=$1:$PATH CLASSPATH=$2:${CLASSPATH:-.}; export PATH CLASSPATH; shift 2; ";

    /** These hosts, and this process's directory. */
    static SshHosts of(List<String> names, List<String> ssh) {
        return new SshHosts(names, ssh, Path.of("").toAbsolutePath().toString());
    }

    /** A rank's host. */
    public String of(int rank) {
        return names.get(rank % names.size());
    }

    /** The command that runs another on a rank's host with its own input and output. */
    public List<String> command(int rank, List<String> command, Map<String, String> variables) {
        List<String> words = new ArrayList<>(command);
        if (ProgramPaths.isOwnJava(words.getFirst())) {
            words.set(0, "java"); // ours, where that is there
        }
        return command(rank, "exec \"$@\"", words, variables);
    }

    /**
     * The command that runs a shell's script on a rank's host.
     *
     * @param script gets the command as its arguments
     * @param variables those of them whose names begin with MADCAST_ go along
     */
    public List<String> command(
            int rank, String script, List<String> command, Map<String, String> variables) {
        StringBuilder remote = new StringBuilder("cd " + quote(directory) + " 2>/dev/null; env");
        variables.forEach((name, value) -> {
            if (name.startsWith("MADCAST_")) {
                remote.append(' ').append(quote(name + "=" + value));
            }
        });
        remote.append(" sh -c ")
                .append(quote(PATHS + script))
                .append(" sh ")
                .append(quote(ProgramPaths.jdkPrograms()))
                .append(' ')
                .append(quote(ProgramPaths.library()));
        command.forEach(word -> remote.append(' ').append(quote(word)));
        List<String> all = new ArrayList<>(ssh);
        all.add(of(rank));
        all.add(remote.toString());
        return all;
    }

    private static String quote(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
