package org.madcast.agent.cluster;

import java.net.URI;
import java.util.List;
import java.util.Map;
import org.madcast.agent.process.HostFileOptions;
import org.madcast.agent.process.SshHosts;

/** Real hosts, on which commands run over ssh. Nothing is made, and nothing taken down. */
public final class SshCluster implements Cluster {

    private final SshHosts hosts;
    private final int size;

    private SshCluster(SshHosts hosts, int size) {
        this.hosts = hosts;
        this.size = size;
    }

    /** Room for so many ranks on these hosts; needs no ssh where all of them are this machine. */
    public static Cluster of(SshHosts hosts, int size) {
        return HostFileOptions.areHere(hosts)
                ? new LoopbackCluster(size)
                : new SshCluster(hosts, size);
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public String hostName(int rank) {
        return hosts.of(rank);
    }

    @Override
    public String address(int rank) {
        return hosts.of(rank);
    }

    /** Each rank takes the one that leads to rank 0. */
    @Override
    public String interfaceName(int rank) {
        return "";
    }

    @Override
    public List<String> command(int rank, List<String> command) {
        return command(rank, command, Map.of());
    }

    @Override
    public List<String> command(int rank, List<String> command, Map<String, String> variables) {
        return hosts.command(rank, command, variables);
    }

    @Override
    public boolean sharesClock() {
        return false;
    }

    @Override
    public URI reach(int loopbackPort) {
        throw new UnsupportedOperationException("real hosts reach no loopback of this one");
    }

    @Override
    public String description() {
        return size + " ranks on " + hosts.names().stream().distinct().count() + " hosts over ssh";
    }

    @Override
    public void close() {
        // Nothing was made.
    }
}
