package org.madcast.client.lease;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.JoinFailedException;

/**
 * The meeting of the ranks at the service: registers this one and waits for all. A service that is
 * away for a moment is asked again until the time is over. Where the ranks have a root address, the
 * others look whether rank 0 listens there, which it does when it had no answer of the service. For
 * one thread.
 */
final class ServiceMeeting {

    private static final Duration LONG_POLL = Duration.ofSeconds(10);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration RETRY_PAUSE = Duration.ofMillis(100);

    private final ServiceConnection service;
    private final CommunicatorConfig config;
    private final String path;
    private final UUID instance;
    private final Duration timeout;
    private final long deadlineNs;
    private List<@Nullable Member> table;
    private @Nullable KeptTopology topology;
    private boolean serviceLost;

    ServiceMeeting(
            ServiceConnection service,
            CommunicatorConfig config,
            String communicatorId,
            UUID instance,
            Duration timeout) {
        this.service = service;
        this.config = config;
        this.path = "v1/communicators/" + communicatorId;
        this.instance = instance;
        this.timeout = timeout;
        this.deadlineNs = System.nanoTime() + timeout.toNanos();
        this.table = Collections.nCopies(config.size(), null);
    }

    /** A request that may fail for the moment. */
    private interface Request {
        ServiceConnection.Answer send(Duration timeout) throws IOException, InterruptedException;
    }

    /** Tells where this rank is; returns what the service says about the membership. */
    JsonFields register(Member self) throws InterruptedException {
        ProcessIdentity process = ProcessIdentity.ofThisProcess();
        JsonObject body = self.write();
        body.put("host", process.host());
        body.put("pid", process.pid());
        body.put("instance", instance.toString());
        String member = path + "/members/" + config.rank();
        return untilAnswered(limit -> service.put(member, body, limit), REQUEST_TIMEOUT);
    }

    /** Waits until all ranks are registered. */
    List<Member> awaitAll() throws IOException, InterruptedException {
        InetSocketAddress root = config.rank() == 0 ? null : config.rootAddress();
        Duration longest = root == null ? LONG_POLL : RendezvousSelection.MOST_DELAY;
        while (true) {
            long waitSeconds =
                    Math.clamp(Duration.ofNanos(remainingNs()).toSeconds(), 0, longest.toSeconds());
            JsonFields found =
                    untilAnswered(
                            limit -> service.get(path + "?waitSeconds=" + waitSeconds, limit),
                            REQUEST_TIMEOUT.plusSeconds(waitSeconds));
            table = Member.readTable(found.children("members"), config.size());
            if (found.isTrue("complete") && Ranks.missing(table).isEmpty()) {
                topology =
                        found.has("topology")
                                ? KeptTopology.read(found.child("topology"), config.size())
                                : null;
                return table.stream().map(Objects::requireNonNull).toList();
            }
            if (remainingNs() <= 0) {
                throw tooLate(Ranks.name(Ranks.missing(table)) + " did not register", null);
            }
            if (root != null && RootClient.isListening(root)) {
                serviceLost = true;
                throw new JoinFailedException(
                        "rank 0 had no answer of the service at %s and waits at %s"
                                .formatted(service.base(), CommunicatorConfig.hostAndPort(root)),
                        null);
            }
            pause();
        }
    }

    /** What came with the table of all members; null without a topology. */
    @Nullable KeptTopology topology() {
        return topology;
    }

    /** Whether the meeting failed because the service does not answer any more, or not rank 0. */
    boolean serviceLost() {
        return serviceLost;
    }

    /** A rank that can meet the others without the service asks it again for a moment only. */
    private JsonFields untilAnswered(Request request, Duration limit) throws InterruptedException {
        long firstFailureNs = 0;
        while (true) {
            try {
                ServiceConnection.Answer answer = request.send(limit);
                ServiceRefusals.check(answer, config);
                return answer.body();
            } catch (IOException away) {
                long nowNs = System.nanoTime();
                firstFailureNs = firstFailureNs == 0 ? nowNs : firstFailureNs;
                boolean longEnough =
                        nowNs - firstFailureNs >= RendezvousSelection.MOST_DELAY.toNanos();
                serviceLost = longEnough && RendezvousSelection.needsNoService(config);
                if (serviceLost || remainingNs() <= 0) {
                    throw tooLate(
                            "the service at "
                                    + service.base()
                                    + " does not answer any more ("
                                    + away.getMessage()
                                    + ")",
                            away);
                }
                pause();
            }
        }
    }

    private JoinFailedException tooLate(String reason, @Nullable Throwable cause) {
        return new JoinFailedException(
                "%s within %d ms (communicator '%s' of job '%s', size %d)"
                        .formatted(
                                reason,
                                timeout.toMillis(),
                                config.name(),
                                config.jobId(),
                                config.size()),
                cause);
    }

    private long remainingNs() {
        return deadlineNs - System.nanoTime();
    }

    /** Keeps a service that answers or refuses connections at once from being asked in a loop. */
    private void pause() throws InterruptedException {
        Thread.sleep(Duration.ofNanos(Math.clamp(remainingNs(), 0, RETRY_PAUSE.toNanos())));
    }
}
