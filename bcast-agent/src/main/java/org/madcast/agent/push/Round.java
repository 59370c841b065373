package org.madcast.agent.push;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.node.FreePort;
import org.madcast.agent.node.JoinRequest;
import org.madcast.client.Algorithm;
import org.madcast.client.Communicator;
import org.madcast.client.RankLostException;
import org.madcast.client.file.FileBroadcast;
import org.madcast.client.file.FileBroadcastOptions;
import org.madcast.client.file.FileReport;

/**
 * One attempt: a job of the sender, rank 0, and the nodes that are left. It ends with everybody's
 * report, or with the loss of a rank.
 */
final class Round {

    private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(15);
    private static final long SAMPLE_NS = 50_000_000;

    private final PushOptions options;
    private final @Nullable String newName;
    private final List<NodeLink> links;
    private final PushProgress progress;
    private final double rateToDrop;
    private volatile boolean over;
    private @Nullable Transmission transmission;

    /**
     * A round.
     *
     * @param newName of the only source; null when it keeps its own
     * @param rateToDrop from which rate on, in bytes per second, a laggard is left behind
     */
    Round(
            PushOptions options,
            @Nullable String newName,
            List<NodeLink> links,
            PushProgress progress,
            double rateToDrop) {
        this.options = options;
        this.newName = newName;
        this.links = links;
        this.progress = progress;
        this.rateToDrop = rateToDrop;
    }

    /**
     * Runs it.
     *
     * @param resume whether what an earlier round left is used
     * @throws RankLostException when a node was lost
     * @throws org.madcast.client.MadcastException when the nodes did not join
     */
    FileReport run(String job, boolean resume) throws IOException, InterruptedException {
        JoinRequest request = request(job);
        for (int i = 0; i < links.size(); i++) {
            try {
                links.get(i).join(request.forRank(i + 1));
            } catch (IOException gone) {
                throw new LostBeforeStartException(i, gone);
            }
        }
        PushOptions.Attachment own = options.attachment();
        try (Communicator communicator =
                Communicator.join(
                        request.config(own.networkInterface(), own.serviceToken(), own.key()))) {
            FileBroadcastOptions files =
                    options.files().withResume(resume).withListener(progress::sent);
            Thread watch =
                    Thread.ofPlatform()
                            .daemon()
                            .name("push-watch")
                            .start(() -> watch(communicator));
            try {
                FileBroadcast broadcast = FileBroadcast.over(communicator, files);
                return newName == null
                        ? broadcast.send(options.sources())
                        : broadcast.sendAs(options.sources().getFirst(), newName);
            } finally {
                transmission = Transmission.of(communicator, options.parameters());
                over = true;
                LockSupport.unpark(watch);
                watch.join();
            }
        }
    }

    /** How data were sent, once the round is over; null when it did not come to that. */
    @Nullable Transmission transmission() {
        return transmission;
    }

    /** The nodes' agents may have another token for the service than the sender. */
    private static String newSecret() {
        byte[] secret = new byte[16];
        new SecureRandom().nextBytes(secret);
        return HexFormat.of().formatHex(secret);
    }

    private JoinRequest request(String job) throws IOException {
        InetSocketAddress root = FreePort.at(links.getFirst().localAddress());
        return new JoinRequest(
                job,
                0,
                links.size() + 1,
                root,
                options.attachment().service(),
                newSecret(),
                JOIN_TIMEOUT,
                options.parameters());
    }

    private void watch(Communicator communicator) {
        LaggardWatch watch = new LaggardWatch(links.size());
        boolean dropped = false;
        while (!over) {
            long[] nodeBytes = links.stream().mapToLong(NodeLink::streamBytes).toArray();
            watch.add(progress.roundStreamBytes(), nodeBytes);
            progress.show(links.get(watch.slowest()).name());
            progress.tell(taken(nodeBytes));
            boolean worthWhile = watch.bytesPerSample() * 1e9 / SAMPLE_NS >= rateToDrop;
            if (!dropped) {
                dropped = giveUpGone(communicator) || (worthWhile && drop(watch, communicator));
            }
            LockSupport.parkNanos(SAMPLE_NS);
        }
    }

    /** An agent that hung up is dead: no need to wait until it has been silent for long. */
    private boolean giveUpGone(Communicator communicator) {
        for (int i = 0; i < links.size(); i++) {
            if (links.get(i).isGone()) {
                communicator.markFailed(i + 1);
                return true;
            }
        }
        return false;
    }

    /**
     * Leaves laggards behind, without waiting for them: what is said to them comes late, behind all
     * that they have not taken yet.
     */
    private boolean drop(LaggardWatch watch, Communicator communicator) {
        Algorithm algorithm = communicator.selection(Transmission.PIECE_BYTES).algorithm();
        List<Integer> laggards = watch.laggards(!algorithm.usesMulticast());
        laggards.forEach(laggard -> links.get(laggard).leave());
        if (!laggards.isEmpty()) {
            communicator.markFailed(laggards.getFirst() + 1);
        }
        return !laggards.isEmpty();
    }

    private Map<String, Long> taken(long[] nodeBytes) {
        Map<String, Long> taken = new HashMap<>();
        for (int i = 0; i < nodeBytes.length; i++) {
            taken.put(links.get(i).name(), nodeBytes[i]);
        }
        return taken;
    }

    /** A node was gone before the round began. */
    static final class LostBeforeStartException extends IOException {
        private static final long serialVersionUID = 1L;
        private final int index;

        LostBeforeStartException(int index, IOException cause) {
            super(cause);
            this.index = index;
        }

        int index() {
            return index;
        }
    }
}
