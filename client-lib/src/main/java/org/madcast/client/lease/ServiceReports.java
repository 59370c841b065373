package org.madcast.client.lease;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A rank's way to the service for what it reports. The first of each {@value #BLOCK} ranks passes
 * the others' reports on ({@link ReportRelay}); whoever does not reach it, or whose report it could
 * not place, sends that report to the service by itself, and the next ones of a minute, too. {@link
 * #send} for one thread, {@link #hurry} from any.
 */
final class ServiceReports implements ReportChannel {

    static final int BLOCK = 32;

    private static final System.Logger LOG = System.getLogger(ServiceReports.class.getName());
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** A minute's reports. */
    private static final int ALONE_AFTER_FAILURE = 12;

    private final ServiceConnection service;
    private final Sender sender;
    private final @Nullable ReportRelay relay;
    private final @Nullable RelayVisit visit;
    private int alone;
    private volatile boolean hurried;

    /**
     * Who reports.
     *
     * @param membership what proves it
     * @param rank its number
     * @param instance its process
     */
    record Sender(ServiceMembership membership, int rank, String instance) {}

    /**
     * Starts to pass on, where that is this rank's part.
     *
     * @param endpoints of all ranks
     */
    ServiceReports(
            ServiceConnection service,
            Sender sender,
            RelaySeal seal,
            List<InetSocketAddress> endpoints) {
        this.service = service;
        this.sender = sender;
        int first = sender.rank() - sender.rank() % BLOCK;
        int ranks = Math.min(BLOCK, endpoints.size() - first);
        boolean isFirst = sender.rank() == first;
        InetSocketAddress relayAddress = endpoints.get(first);
        this.relay = isFirst && ranks > 1 ? listen(relayAddress, ranks, seal) : null;
        this.visit = isFirst ? null : new RelayVisit(relayAddress, seal);
    }

    private @Nullable ReportRelay listen(InetSocketAddress address, int ranks, RelaySeal seal) {
        try {
            return new ReportRelay(address, ranks, seal, this::sendTogether);
        } catch (IOException taken) {
            LOG.log(
                    Level.DEBUG,
                    "rank {0} passes no reports on: {1}",
                    sender.rank(),
                    taken.getMessage());
            return null;
        }
    }

    @Override
    public Optional<Map<String, Integer>> send(Map<String, Object> report)
            throws IOException, InterruptedException {
        JsonObject body = new JsonObject();
        body.put("communicatorId", sender.membership().communicatorId());
        body.put("rank", sender.rank());
        body.put("instance", sender.instance());
        body.putAll(report);
        String text = JsonWriter.string(body);
        return switch (together(text)) {
            case RelayOutcome.Taken(String advice) ->
                    Optional.of(RootDelayAdvice.read(JsonFields.parse(advice)));
            case RelayOutcome.Away(String reason) -> throw new IOException(reason);
            case RelayOutcome.Alone() -> sendAlone(text);
        };
    }

    /** With others, unless that failed lately or there is no time for it. */
    private RelayOutcome together(String report) {
        if (hurried || alone > 0) {
            alone--;
            return new RelayOutcome.Alone();
        }
        try {
            if (relay != null) {
                return relay.pass(report);
            }
            return visit == null ? new RelayOutcome.Alone() : visit.bring(report);
        } catch (IOException notPassedOn) {
            alone = ALONE_AFTER_FAILURE;
            LOG.log(
                    Level.DEBUG,
                    "rank {0} speaks for itself for a minute: {1}",
                    sender.rank(),
                    notPassedOn.getMessage());
            return new RelayOutcome.Alone();
        }
    }

    private Optional<Map<String, Integer>> sendAlone(String report)
            throws IOException, InterruptedException {
        ServiceConnection.Answer answer = post("v1/reports", report);
        if (answer.isTemporary()) {
            throw new IOException(answer.explanation());
        }
        return answer.isOk() ? Optional.of(RootDelayAdvice.read(answer.body())) : Optional.empty();
    }

    /** All of these, with this rank's secret for all. */
    private RelayOutcome sendTogether(List<String> reports) throws InterruptedException {
        String instance = JsonWriter.string(sender.instance());
        String body =
                "{\"instance\":" + instance + ",\"reports\":[" + String.join(",", reports) + "]}";
        try {
            ServiceConnection.Answer answer = post(sender.membership().path() + "/reports", body);
            if (answer.isTemporary()) {
                return new RelayOutcome.Away(answer.explanation());
            }
            return answer.isOk()
                    ? new RelayOutcome.Taken(answer.body().json())
                    : new RelayOutcome.Alone();
        } catch (IOException away) {
            return new RelayOutcome.Away(String.valueOf(away.getMessage()));
        }
    }

    private ServiceConnection.Answer post(String path, String body)
            throws IOException, InterruptedException {
        return service.postText(path, body, sender.membership().secretHeader(), TIMEOUT);
    }

    @Override
    public void hurry() {
        hurried = true;
        if (relay != null) {
            relay.close();
        }
        if (visit != null) {
            visit.giveUp();
        }
    }
}
