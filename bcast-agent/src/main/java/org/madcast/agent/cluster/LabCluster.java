package org.madcast.agent.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.lab.Lab;
import org.madcast.lab.LabCapability;
import org.madcast.lab.LabException;
import org.madcast.lab.LabSpec;

/** Hosts of a lab that belongs to this process. */
public final class LabCluster implements Cluster {

    private final Lab lab;

    private LabCluster(Lab lab) {
        this.lab = lab;
    }

    /**
     * Makes a lab under a name of its own, after taking down what earlier processes left behind.
     *
     * @throws CommandFailure when it cannot be made
     */
    public static LabCluster up(LabSpec spec) {
        try {
            List<String> _ = Lab.reap();
            return new LabCluster(Lab.up(spec));
        } catch (LabException e) {
            throw new CommandFailure(
                    ExitCode.LAB,
                    "the lab could not be set up: "
                            + e.getMessage()
                            + "; use --no-lab to do without it",
                    e);
        }
    }

    /** Why no lab can be made here, in one line; empty when one can. */
    public static Optional<String> whyNot(boolean lossy) {
        return switch (LabCapability.check()) {
            case LabCapability.Available available when lossy && !available.lossy() ->
                    Optional.of("losing datagrams needs nft; install nftables");
            case LabCapability.Available _ -> Optional.empty();
            case LabCapability.Unavailable unavailable ->
                    Optional.of(unavailable.reason() + "; " + unavailable.cure());
        };
    }

    @Override
    public int size() {
        return lab.hosts().size();
    }

    @Override
    public String hostName(int rank) {
        return lab.host(rank).namespace();
    }

    @Override
    public String address(int rank) {
        return lab.host(rank).address().getHostAddress();
    }

    @Override
    public String interfaceName(int rank) {
        return lab.host(rank).interfaceName();
    }

    @Override
    public List<String> command(int rank, List<String> command) {
        return lab.host(rank).command(command);
    }

    @Override
    public URI reach(int loopbackPort) throws IOException {
        InetSocketAddress target =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), loopbackPort);
        int port = lab.relay(loopbackPort, target).listening().getPort();
        return URI.create("http://" + lab.gateway().getHostAddress() + ":" + port);
    }

    @Override
    public String description() {
        return String.format(
                Locale.ROOT,
                "%d hosts, %s-h0 to -h%d, on %s%s%s",
                size(),
                lab.spec().name(),
                size() - 1,
                lab.spec().switches() == 1 ? "a switch" : lab.spec().switches() + " switches",
                lab.spec().rate().map(rate -> ", " + rate + " a link").orElse(""),
                lab.spec().lossPercent() > 0
                        ? String.format(Locale.ROOT, ", %.3g %% loss", lab.spec().lossPercent())
                        : "");
    }

    @Override
    public void close() {
        lab.close();
    }
}
