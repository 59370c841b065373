package org.madcast.client.lease;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.JoinFailedException;
import org.madcast.client.MulticastGroup;

/**
 * Finds who introduces the ranks: the allocation service when one is configured and answers, else
 * rank 0 when its address is known, else, for a single rank, nothing. Of these two, it is where
 * rank 0 is that decides: the others follow it, whichever of them the service answered. Rank 0 gets
 * the group from an RFC 2730 server if one answers, else at random. Rank 0 logs what was not
 * leased; which it was is seen in {@link Rendezvous#groupSource()}.
 */
public final class RendezvousSelection {

    private static final System.Logger LOG = System.getLogger(RendezvousSelection.class.getName());

    /** How much later a job starts, at most, since no group is leased to it. */
    static final Duration MOST_DELAY = Duration.ofSeconds(2);

    /** What of it is kept for making ready: the first request of a process is slower. */
    static final Duration SLACK = Duration.ofMillis(250);

    private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

    private RendezvousSelection() {}

    /**
     * The rendezvous for this configuration; group and token are known when it returns. Services
     * and servers that do not answer cost {@link #MOST_DELAY} in all when there is a root address
     * to fall back to.
     *
     * @throws JoinFailedException when no meeting place was found, with what to configure, or when
     *     this rank was refused
     */
    public static Rendezvous introduce(CommunicatorConfig config) {
        return logged(config, () -> find(config));
    }

    /**
     * As {@link #introduce} for ranks that lost the service while they met there.
     *
     * @param trouble what happened to the service
     */
    public static Rendezvous withoutService(CommunicatorConfig config, String trouble) {
        LOG.log(Level.WARNING, "{0}; going on without it", trouble);
        return logged(config, () -> withoutService(config, MOST_DELAY, trouble));
    }

    /** Whether the ranks can meet although no service answers. */
    static boolean needsNoService(CommunicatorConfig config) {
        return config.rootAddress() != null || config.size() == 1;
    }

    private interface Search {
        Rendezvous find() throws InterruptedException;
    }

    private static Rendezvous logged(CommunicatorConfig config, Search search) {
        try {
            Rendezvous rendezvous = search.find();
            LOG.log(
                    Level.DEBUG,
                    "communicator {0} of job {1}: rank {2} of {3} uses group {4} ({5}{6})",
                    config.name(),
                    config.jobId(),
                    Integer.toString(config.rank()),
                    Integer.toString(config.size()),
                    rendezvous.group(),
                    rendezvous.groupSource(),
                    rendezvous.leaseId() == null ? "" : " as lease " + rendezvous.leaseId());
            return rendezvous;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new JoinFailedException("interrupted while joining", interrupted);
        }
    }

    private static Rendezvous find(CommunicatorConfig config) throws InterruptedException {
        long startNs = System.nanoTime();
        String trouble = "no service is configured";
        if (config.serviceUri() != null) {
            try {
                return atService(config);
            } catch (IOException away) {
                trouble =
                        "the service at %s does not answer (%s)"
                                .formatted(config.serviceUri(), away.getMessage());
                LOG.log(Level.WARNING, "{0}; going on without it", trouble);
            }
        }
        Duration spent = Duration.ofNanos(System.nanoTime() - startNs);
        return withoutService(config, MOST_DELAY.minus(spent), trouble);
    }

    private static Rendezvous withoutService(
            CommunicatorConfig config, Duration leaseBudget, String trouble)
            throws InterruptedException {
        if (config.size() == 1) {
            return new LocalRendezvous(config.group());
        }
        InetSocketAddress root = config.rootAddress();
        if (root != null) {
            return config.rank() == 0 || config.serviceUri() == null
                    ? RootRendezvous.find(config, leaseBudget, config.joinTimeout())
                    : followRankZero(config, root);
        }
        throw new JoinFailedException(
                trouble
                        + ", and no root address is set, so the "
                        + config.size()
                        + " ranks cannot find each other; set MADCAST_SERVICE=http://host:8730, or"
                        + " MADCAST_ROOT=host:port with an address of rank 0's host",
                null);
    }

    /**
     * Where rank 0 is: it may have had an answer of the service, unlike this rank, and then listens
     * nowhere. So the service is asked again from time to time.
     */
    private static Rendezvous followRankZero(CommunicatorConfig config, InetSocketAddress root)
            throws InterruptedException {
        long nowNs = System.nanoTime();
        long deadlineNs = nowNs + config.joinTimeout().toNanos();
        long askedNs = nowNs;
        while (!RootClient.isListening(root) && deadlineNs - nowNs > 0) {
            if (nowNs - askedNs >= MOST_DELAY.toNanos()) {
                try {
                    return atService(config);
                } catch (IOException stillAway) {
                    LOG.log(Level.DEBUG, "the service, again: {0}", stillAway.getMessage());
                }
                askedNs = System.nanoTime();
            }
            Thread.sleep(LOOK_AGAIN);
            nowNs = System.nanoTime();
        }
        Duration left = Duration.ofNanos(Math.max(0, deadlineNs - nowNs));
        return RootRendezvous.find(config, Duration.ZERO, left);
    }

    private static Rendezvous atService(CommunicatorConfig config)
            throws IOException, InterruptedException {
        Rendezvous rendezvous = ServiceRendezvous.find(config);
        MulticastGroup group = config.group();
        return group == null ? rendezvous : new ConfiguredGroup(rendezvous, group);
    }
}
