package org.madcast.agent.cluster;

import java.net.URI;
import java.util.List;

/** No cluster at all: the ranks are processes of this machine and multicast over its loopback. */
public final class LoopbackCluster implements Cluster {

    private final int size;

    /** Room for {@code ranks} ranks. */
    public LoopbackCluster(int size) {
        this.size = size;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public String hostName(int rank) {
        return "local";
    }

    @Override
    public String address(int rank) {
        return "127.0.0.1";
    }

    @Override
    public String interfaceName(int rank) {
        return "lo";
    }

    @Override
    public List<String> command(int rank, List<String> command) {
        return command;
    }

    @Override
    public URI reach(int loopbackPort) {
        return URI.create("http://127.0.0.1:" + loopbackPort);
    }

    @Override
    public String description() {
        return size + " processes on this machine's loopback interface";
    }

    @Override
    public void close() {
        // Nothing was made.
    }
}
