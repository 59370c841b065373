package org.madcast.agent.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import org.madcast.agent.node.FreePort;
import org.madcast.agent.process.ProgramPaths;
import org.madcast.agent.process.SshHosts;
import org.madcast.lab.LabHost;

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

    /** The interface that ranks use unless another is set; empty for the one to rank 0. */
    String interfaceName();

    /** Where a rank is, for messages. */
    String host(int rank);

    /** Whether ranks may be put on different hosts. */
    default boolean areSeveralHosts() {
        return true;
    }

    /** The names and addresses by which a rank's host is known. */
    default List<String> names(int rank) {
        return List.of(host(rank));
    }

    /** The same, with rank r in the place that the r-th of the list would have. */
    RankPlaces permuted(List<Integer> order);

    /** Whether ranks run on this machine's processors and by its JDK. */
    default boolean onThisMachine() {
        return true;
    }

    /**
     * Whether a rank ends when its standard input does, so that the input of rank 0 is passed on in
     * lines.
     */
    default boolean endWithTheirInput() {
        return false;
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
            InetSocketAddress root = FreePort.onLoopback();
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

        @Override
        public boolean areSeveralHosts() {
            return false;
        }

        @Override
        public RankPlaces permuted(List<Integer> order) {
            return this;
        }
    }

    /** One after the other on the hosts of a lab. */
    record InLab(List<LabHost> hosts, String root) implements RankPlaces {

        static InLab of(List<LabHost> hosts) {
            String address = hosts.getFirst().address().getHostAddress();
            return new InLab(hosts, address + ":" + anyPort());
        }

        private LabHost of(int rank) {
            return hosts.get(rank % hosts.size());
        }

        @Override
        public List<String> command(int rank, List<String> command, Map<String, String> variables) {
            return of(rank).command(ProgramPaths.resolve(command));
        }

        @Override
        public String interfaceName() {
            return hosts.getFirst().interfaceName();
        }

        @Override
        public String host(int rank) {
            return of(rank).namespace();
        }

        @Override
        public List<String> names(int rank) {
            return List.of(host(rank), of(rank).address().getHostAddress());
        }

        @Override
        public RankPlaces permuted(List<Integer> order) {
            return of(order.stream().map(this::of).toList());
        }
    }

    /** On the hosts of a list. */
    record OverSsh(SshHosts hosts, String root) implements RankPlaces {

        /** When the connection ends, so does the rank: its guard sees the end of its input. */
        private static final String GUARDED =
                "exec 3<&0; (cat <&3; kill -TERM $$) >/dev/null 2>&1 &"
                        + " exec \"$@\" 3<&- </dev/null";

        /** The same, and the guard has the rank's input, as {@link RankInput#passInLines} sends. */
        private static final String GUARDED_WITH_INPUT =
                "exec 3<&0; d=$(mktemp -d) && mkfifo \"$d/in\" || exit 1;"
                        + " (exec 4>\"$d/in\"; rm -r \"$d\"; while read -r l && [ \"$l\" != . ];"
                        + " do printf %s \"$l\" | base64 -d >&4; done; exec 4>&-; cat;"
                        + " kill -TERM $$) <&3 >/dev/null 2>&1 &"
                        + " exec \"$@\" <\"$d/in\" 3<&-";

        static OverSsh of(SshHosts hosts) {
            return new OverSsh(hosts, hosts.of(0) + ":" + anyPort());
        }

        @Override
        public List<String> command(int rank, List<String> command, Map<String, String> variables) {
            return hosts.command(
                    rank, rank == 0 ? GUARDED_WITH_INPUT : GUARDED, command, variables);
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
        public boolean endWithTheirInput() {
            return true;
        }

        @Override
        public String host(int rank) {
            return hosts.of(rank);
        }

        @Override
        public RankPlaces permuted(List<Integer> order) {
            List<String> names = order.stream().map(hosts::of).toList();
            return of(new SshHosts(names, hosts.ssh(), hosts.directory()));
        }
    }

    /** One that is hopefully free where it cannot be asked. */
    private static int anyPort() {
        return 20_000 + new SecureRandom().nextInt(12_000);
    }
}
