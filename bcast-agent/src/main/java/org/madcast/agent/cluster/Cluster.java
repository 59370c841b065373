package org.madcast.agent.cluster;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** Hosts on which ranks run, one rank a host. Methods may be called from any thread. */
public interface Cluster extends AutoCloseable {

    /** How many ranks it has room for. */
    int size();

    /** What a rank's host is called. */
    String hostName(int rank);

    /** The address at which the other ranks reach a rank's host, as text. */
    String address(int rank);

    /** The interface over which a rank's multicast goes. */
    String interfaceName(int rank);

    /** The command line that runs this command on a rank's host, as a child with its own pid. */
    List<String> command(int rank, List<String> command);

    /**
     * The same for a process that gets these variables. A cluster whose hosts do not inherit this
     * process's environment puts them into the command.
     */
    default List<String> command(int rank, List<String> command, Map<String, String> variables) {
        return command(rank, command);
    }

    /** Whether {@link System#nanoTime} of all hosts is one clock, also this process's. */
    default boolean sharesClock() {
        return true;
    }

    /** Under which address the hosts reach a service on a port of this machine's loopback. */
    URI reach(int loopbackPort) throws IOException;

    /** What it is, for people. */
    String description();

    /** Takes it down. */
    @Override
    void close();
}
