package org.madcast.agent.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A list of hosts as Open MPI, MPICH and MPJ Express read it: one a line, {@code host}, {@code
 * host:N} or {@code host slots=N}; what follows a # is a comment.
 */
final class HostFile {

    private static final Pattern LINE =
            Pattern.compile(
                    "([^\\s:=]+|[^\\s:=]*:[^\\s=]*:[^\\s=]*)(?::([1-9]\\d{0,3}))?"
                            + "(?:\\s+slots\\s*=\\s*([1-9]\\d{0,3}))?"
                            + "(?:\\s+max[_-]slots\\s*=\\s*[1-9]\\d{0,3})?");

    private HostFile() {}

    /** Reads one; a host is there as often as it has slots. */
    static List<String> read(Path file) throws IOException {
        List<String> hosts = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            String entry = line.replaceFirst("#.*", "").strip();
            if (!entry.isEmpty()) {
                Matcher matcher = LINE.matcher(entry);
                if (!matcher.matches()) {
                    throw new IOException(
                            "'"
                                    + line.strip()
                                    + "' is none of 'host', 'host:N' and 'host slots=N'");
                }
                for (int slot = 0; slot < slots(matcher); slot++) {
                    hosts.add(matcher.group(1));
                }
            }
        }
        if (hosts.isEmpty()) {
            throw new IOException("it names no host");
        }
        return hosts;
    }

    private static int slots(Matcher matcher) {
        for (int group = 3; group >= 2; group--) {
            if (matcher.group(group) != null) {
                return Integer.parseInt(matcher.group(group));
            }
        }
        return 1;
    }
}
