package org.madcast.client.lease;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A rank's way to the service for what it reports. The first of each {@value #BLOCK} ranks passes
 * the others' reports on ({@link ReportRelay}); a rank that does not reach it, or whose report it
 * could not place, sends that report to the service by itself, and the next ones of a minute, too.
 * {@link #send} for one thread, {@link #hurry} from any.
 */
final class ServiceReports implements ReportChannel {

    static final int BLOCK = 32;

    private static final System.Logger LOG = System.getLogger(ServiceReports.class.getName());
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** A minute's reports. */
    private static final int ALONE_AFTER_FAILURE = 12;

    private final ServiceConnection service;
    private final ServiceMembership membership;
    private final String instance;
    private final @Nullable ReportRelay relay;
    private final @Nullable RelayClient visit;
    private int alone;
    private volatile boolean hurried;

    /**
     * Starts to pass on, where that is this rank's part.
     *
     * @param membership what proves who reports
     * @param instance its process
     * @param endpoints of all ranks
     */
    ServiceReports(
            ServiceConnection service,
            ServiceMembership membership,
            String instance,
            RelaySeal seal,
            List<InetSocketAddress> endpoints) {
        this.service = service;
        this.membership = membership;
        this.instance = instance;
        int rank = membership.place().rank();
        int first = rank - rank % BLOCK;
        int ranks = Math.min(BLOCK, endpoints.size() - first);
        boolean isFirst = rank == first;
        InetSocketAddress relayAddress = endpoints.get(first);
        this.relay = isFirst && ranks > 1 ? listen(relayAddress, ranks, seal) : null;
        this.visit = isFirst ? null : new RelayClient(relayAddress, seal);
    }

    private @Nullable ReportRelay listen(InetSocketAddress address, int ranks, RelaySeal seal) {
        try {
            return new ReportRelay(address, ranks, seal, this::sendTogether);
        } catch (IOException taken) {
            LOG.log(
                    Level.DEBUG,
                    "rank {0} passes no reports on: {1}",
                    membership.place().rank(),
                    taken.getMessage());
            return null;
        }
    }

    @Override
    public Optional<Map<String, Integer>> send(Map<String, Object> report)
            throws IOException, InterruptedException {
        JsonObject body = new JsonObject();
        body.put("communicatorId", membership.place().communicatorId());
        body.put("rank", membership.place().rank());
        body.put("instance", instance);
        body.putAll(report);
        String text = JsonWriter.string(body);
        RelayOutcome outcome = together(text);
        if (outcome instanceof RelayOutcome.Refused) {
            outcome = post("v1/reports", text);
        }
        return switch (outcome) {
            case RelayOutcome.Taken(String advice) ->
                    Optional.of(RootDelayAdvice.read(JsonFields.parse(advice)));
            case RelayOutcome.Away(String reason) -> throw new IOException(reason);
            case RelayOutcome.Refused() -> Optional.empty();
        };
    }

    /** With others, unless that failed lately or there is no time for it. */
    private RelayOutcome together(String report) {
        if (hurried) {
            return new RelayOutcome.Refused();
        }
        if (alone > 0) {
            alone--;
            return new RelayOutcome.Refused();
        }
        try {
            if (relay != null) {
                return relay.pass(report);
            }
            return visit == null ? new RelayOutcome.Refused() : visit.bring(report);
        } catch (IOException notPassedOn) {
            alone = ALONE_AFTER_FAILURE;
            LOG.log(
                    Level.DEBUG,
                    "rank {0} speaks for itself for a minute: {1}",
                    membership.place().rank(),
                    notPassedOn.getMessage());
            return new RelayOutcome.Refused();
        }
    }

    /** All of these, with this rank's secret for all. */
    private RelayOutcome sendTogether(List<String> reports) throws InterruptedException {
        return post(
                membership.place().path() + "/reports",
                "{\"instance\":"
                        + JsonWriter.string(instance)
                        + ",\"reports\":["
                        + String.join(",", reports)
                        + "]}");
    }

    private RelayOutcome post(String path, String body) throws InterruptedException {
        try {
            ServiceConnection.Answer answer =
                    service.postText(path, body, membership.secretHeader(), TIMEOUT);
            if (answer.isTemporary()) {
                return new RelayOutcome.Away(answer.explanation());
            }
            return answer.isOk()
                    ? new RelayOutcome.Taken(answer.body().json())
                    : new RelayOutcome.Refused();
        } catch (IOException away) {
            return new RelayOutcome.Away(String.valueOf(away.getMessage()));
        }
    }

    @Override
    public void adopt(SocketChannel channel, ByteBuffer first) throws IOException {
        if (relay == null) {
            channel.close();
        } else {
            relay.adopt(channel, first);
        }
    }

    /** How many reports, this rank's own included, it will pass on together; any thread asks. */
    int waiting() {
        return relay == null ? 0 : relay.waiting();
    }

    @Override
    public void hurry() {
        hurried = true;
        if (relay != null) {
            relay.close();
        }
        if (visit != null) {
            visit.markFailed();
        }
    }
}
