package org.madcast.client.lease;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.GroupSource;
import org.madcast.client.MulticastGroup;

/** A group leased from the allocation service for a communicator whose first lease was lost. */
final class ServiceLease implements RenewingLease {

    private static final Duration DURATION = Duration.ofMinutes(2);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final ServiceConnection service;
    private final String id;
    private final String secret;
    private final String scope;
    private final MulticastGroup group;
    private final LeaseThread thread;
    private final AtomicBoolean closed = new AtomicBoolean();

    private ServiceLease(ServiceConnection service, ServiceConnection.Answer answer)
            throws IOException {
        JsonFields body = answer.body();
        List<JsonFields> groups = body.children("groups");
        if (groups.isEmpty()) {
            throw new IOException("a lease without a group");
        }
        this.service = service;
        this.id = UUID.fromString(body.text("id")).toString();
        this.secret = body.text("secret");
        this.scope = body.textOr("scope", "unknown");
        this.group = groups.getFirst().group();
        this.thread = new LeaseThread(id, answer.until(body.instant("expiresAt")), this::renew);
    }

    /**
     * Asks for a lease.
     *
     * @throws IOException when there is none to be had, or no answer
     */
    static ServiceLease grant(ServiceConnection service, CommunicatorConfig config)
            throws IOException, InterruptedException {
        JsonObject request = new JsonObject();
        request.put("job", config.jobId());
        request.put("communicator", config.name());
        request.put("durationSeconds", DURATION.toSeconds());
        Map<String, String> once = Map.of("Idempotency-Key", UUID.randomUUID().toString());
        ServiceConnection.Answer answer = service.post("v1/leases", request, once, TIMEOUT);
        if (!answer.isOk()) {
            throw new IOException(answer.explanation());
        }
        try {
            ServiceLease lease = new ServiceLease(service, answer);
            lease.thread.start();
            return lease;
        } catch (IllegalArgumentException malformed) {
            throw new IOException("the service's answer is malformed", malformed);
        }
    }

    @Override
    public MulticastGroup group() {
        return group;
    }

    @Override
    public GroupSource source() {
        return GroupSource.LEASED;
    }

    @Override
    public String scope() {
        return scope;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public Instant expiresAt() {
        return thread.expiresAt();
    }

    @Override
    public boolean isLost() {
        return thread.isLost();
    }

    private Map<String, String> secretHeader() {
        return Map.of("Madcast-Lease-Secret", secret);
    }

    private LeaseThread.Result renew() throws IOException, InterruptedException {
        JsonObject body = new JsonObject();
        body.put("durationSeconds", DURATION.toSeconds());
        ServiceConnection.Answer answer =
                service.post("v1/leases/" + id + "/renewal", body, secretHeader(), TIMEOUT);
        if (answer.isOk()) {
            return new LeaseThread.Result.Renewed(answer.until(answer.body().instant("expiresAt")));
        }
        return answer.status() == 404 || answer.status() == 410
                ? new LeaseThread.Result.Gone(answer.explanation())
                : new LeaseThread.Result.Failed(answer.explanation());
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        thread.close();
        boolean interruptedBefore = Thread.interrupted();
        try {
            ServiceConnection.Answer answer =
                    service.delete("v1/leases/" + id, secretHeader(), TIMEOUT);
            if (!answer.isOk() && answer.status() != 404) {
                thread.warnOfUnreleased(answer.explanation());
            }
        } catch (IOException away) {
            thread.warnOfUnreleased(String.valueOf(away.getMessage()));
        } catch (InterruptedException interrupted) {
            interruptedBefore = true;
            thread.warnOfUnreleased("interrupted");
        } finally {
            if (interruptedBefore) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
