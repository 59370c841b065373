package org.madcast.agent.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.madcast.agent.node.FreePort;
import org.madcast.lab.Lab;

/**
 * Where the ranks of a run are started, and how: on this machine, on others over ssh, or on the
 * hosts of a lab. Immutable.
 */
sealed interface RankPlaces {

    /** How long a service may take to accept a connection. */
    int PATIENCE_MS = 1000;

    /** The command that starts a rank, given what it shall run and its own variables. */
    List<String> command(int rank, List<String> command, Map<String, String> variables);

    /** Where the others find rank 0, as {@code host:port}. */
    String root();

    /** The interface that ranks use unless they are told another; empty for the one to rank 0. */
    String interfaceName();

    /** Where a rank is, for messages. */
    String host(int rank);

    /** Whether ranks run on this machine's processors and by its JDK. */
    default boolean onThisMachine() {
        return true;
    }

    /**
     * Whether ranks will certainly reach what listens there. They need no other place to meet at
     * then, and are better off without one: ranks that know one wait but a moment for the service,
     * and where some find it and others do not, they never meet.
     */
    default boolean reach(URI service) {
        int usual = "https".equals(service.getScheme()) ? 443 : 80;
        int port = service.getPort() >= 0 ? service.getPort() : usual;
        try (Socket socket = new Socket()) {
            InetAddress address = InetAddress.getByName(service.getHost());
            if (address.isLoopbackAddress() && !(this instanceof Here)) {
                return false;
            }
            socket.connect(new InetSocketAddress(address, port), PATIENCE_MS);
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    /** All on this machine. */
    record Here(String root) implements RankPlaces {

        static Here make() throws IOException {
            InetSocketAddress root = FreePort.at(InetAddress.getLoopbackAddress());
            return new Here("127.0.0.1:" + root.getPort());
        }

        @Override
        public List<String> command(int rank, List<String> command, Map<String, String> variables) {
            return ProgramPaths.resolve(command);
        }

        @Override
        public String interfaceName() {
            return "lo";
        }

        @Override
        public String host(int rank) {
            return "this machine";
        }
    }

    /** One after the other on the hosts of a lab. */
    record InLab(Lab lab, String root) implements RankPlaces {

        static InLab of(Lab lab) {
            return new InLab(lab, lab.host(0).address().getHostAddress() + ":" + anyPort());
        }

        @Override
        public List<String> command(int rank, List<String> command, Map<String, String> variables) {
            return lab.host(rank % lab.hosts().size()).command(ProgramPaths.resolve(command));
        }

        @Override
        public String interfaceName() {
            return lab.host(0).interfaceName();
        }

        @Override
        public String host(int rank) {
            return lab.host(rank % lab.hosts().size()).namespace();
        }
    }

    /**
     * On the hosts of a list, which may name a host several times.
     *
     * @param ssh the command that runs one on a host, without the host
     * @param directory where ranks are started, if it is there
     */
    record OverSsh(List<String> hosts, List<String> ssh, String directory, String root)
            implements RankPlaces {

        /** When the connection ends, so does the rank: its guard sees the end of its input. */
        private static final String GUARDED =
                "exec 3<&0; (cat <&3; kill -TERM $$) >/dev/null 2>&1 & exec \"$@\" 3<&- </dev/null";

        static OverSsh of(List<String> hosts, List<String> ssh) {
            String root = hosts.getFirst() + ":" + anyPort();
            return new OverSsh(hosts, ssh, Path.of("").toAbsolutePath().toString(), root);
        }

        @Override
        public List<String> command(int rank, List<String> command, Map<String, String> variables) {
            StringBuilder remote =
                    new StringBuilder("cd " + quote(directory) + " 2>/dev/null; env");
            variables.forEach((name, value) -> {
                if (name.startsWith("MADCAST_")) {
                    remote.append(' ').append(quote(name + "=" + value));
                }
            });
            remote.append(" sh -c ").append(quote(GUARDED)).append(" sh");
            command.forEach(word -> remote.append(' ').append(quote(word)));
            List<String> all = new ArrayList<>(ssh);
            all.add(host(rank));
            all.add(remote.toString());
            return all;
        }

        @Override
        public String interfaceName() {
            return "";
        }

        @Override
        public boolean onThisMachine() {
            return false;
        }

        @Override
        public String host(int rank) {
            return hosts.get(rank % hosts.size());
        }

        private static String quote(String word) {
            return "'" + word.replace("'", "'\\''") + "'";
        }
    }

    /**
     * Reads a list of hosts: one a line, {@code host} or {@code host slots=N} as mpirun's; what
     * follows a # is a comment.
     */
    static List<String> readHosts(Path file) throws IOException {
        List<String> hosts = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            String[] words = line.replaceFirst("#.*", "").strip().split("\\s+");
            if (!words[0].isEmpty()) {
                for (int slot = 0; slot < slots(words, line); slot++) {
                    hosts.add(words[0]);
                }
            }
        }
        if (hosts.isEmpty()) {
            throw new IOException("it names no host");
        }
        return hosts;
    }

    private static int slots(String[] words, String line) throws IOException {
        if (words.length == 1) {
            return 1;
        }
        if (words.length == 2 && words[1].matches("slots=[1-9]\\d{0,3}")) {
            return Integer.parseInt(words[1].substring("slots=".length()));
        }
        throw new IOException("'" + line.strip() + "' is neither 'host' nor 'host slots=N'");
    }

    /** One that is hopefully free where it cannot be asked. */
    private static int anyPort() {
        return 20_000 + new SecureRandom().nextInt(12_000);
    }
}
