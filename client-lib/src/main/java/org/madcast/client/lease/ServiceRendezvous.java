package org.madcast.client.lease;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.SocketException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.GroupSource;
import org.madcast.client.JoinFailedException;
import org.madcast.client.MulticastGroup;

/**
 * Ranks meet at the allocation service, which leases the group: the first rank's request makes the
 * communicator, the others' find it. From {@link #meet} to {@link #close} a daemon thread keeps the
 * membership and the lease alive.
 */
final class ServiceRendezvous implements Rendezvous {

    private static final System.Logger LOG = System.getLogger(ServiceRendezvous.class.getName());
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration FIRST_TIMEOUT =
            RendezvousSelection.MOST_DELAY
                    .minus(MadcapServers.MOST)
                    .minus(RendezvousSelection.SLACK);
    private static final Duration FIRST_ATTEMPT = Duration.ofSeconds(2);
    private static final Duration LEASE_DURATION = Duration.ofMinutes(2);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    /** How long a service that refuses connections may be one that is being restarted. */
    private static final Duration RESTART = Duration.ofSeconds(20);

    private final ServiceConnection service;
    private final CommunicatorConfig config;
    private final String communicatorId;
    private final MulticastGroup group;
    private final String scope;
    private final String leaseId;
    private final long token;
    private final Instant firstExpiry;
    private final Duration granted;
    private final UUID instance = UUID.randomUUID();
    private final GroupAllocator supply;
    private boolean serviceLost;
    private volatile @Nullable ServiceMembership membership;
    private volatile @Nullable ServiceReports reports;
    private @Nullable KeptTopology topology;

    private ServiceRendezvous(
            ServiceConnection service, CommunicatorConfig config, ServiceConnection.Answer answer)
            throws IOException {
        JsonFields found = answer.body();
        JsonFields lease = found.child("lease");
        this.service = service;
        this.config = config;
        this.supply = new GroupAllocator(config, service);
        this.communicatorId = UUID.fromString(found.text("id")).toString();
        this.token = found.token("token");
        this.group = lease.group();
        this.scope = lease.textOr("pool", lease.textOr("scope", "unknown"));
        this.leaseId = lease.text("id");
        this.firstExpiry = lease.instant("expiresAt");
        this.granted = answer.until(firstExpiry);
    }

    /**
     * Makes or finds the communicator. One that is complete already, without this rank, is an
     * earlier one of the same name that others are still in: the service is asked again until it
     * gives the next one.
     *
     * @throws IOException when the service cannot be reached, or does not answer or cannot now:
     *     within {@link #FIRST_TIMEOUT} when the ranks can meet without it, else within the join
     *     timeout
     * @throws JoinFailedException when it answers, but with a refusal or a certificate that is not
     *     believed, or when the earlier one is in use for longer than the join timeout
     */
    static ServiceRendezvous find(CommunicatorConfig config)
            throws IOException, InterruptedException {
        if (config.serviceUri() == null) {
            throw new IllegalArgumentException("no service is configured");
        }
        ServiceConnection service =
                new ServiceConnection(
                        config.serviceUri(),
                        config.serviceToken(),
                        config.ownerSecret(),
                        CONNECT_TIMEOUT);
        boolean found = false;
        try {
            ServiceConnection.Answer answer = untilItIsNew(service, config);
            ServiceRendezvous rendezvous = new ServiceRendezvous(service, config, answer);
            found = true;
            return rendezvous;
        } catch (UntrustedServiceException untrusted) {
            // An answer, even an error, shows that a service is there.
            throw new JoinFailedException(
                    "the service at %s: %s".formatted(service.base(), untrusted.getMessage()),
                    untrusted);
        } catch (IllegalArgumentException malformed) {
            throw new IOException("the service's answer is malformed", malformed);
        } finally {
            if (!found) {
                service.close();
            }
        }
    }

    private static ServiceConnection.Answer untilItIsNew(
            ServiceConnection service, CommunicatorConfig config)
            throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + config.joinTimeout().toNanos();
        Duration pause = FIRST_PAUSE;
        while (true) {
            ServiceConnection.Answer answer = makeOrFind(service, config, deadlineNs);
            if (!answer.body().isTrue("complete")) {
                return answer;
            }
            if (deadlineNs - System.nanoTime() <= pause.toNanos()) {
                throw new JoinFailedException(ServiceRefusals.stillInUse(config), null);
            }
            Thread.sleep(pause);
            pause = pause.multipliedBy(2);
            pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
        }
    }

    /**
     * Where waiting is all that may help, a request without an answer is made again, with more time
     * each: its connection may have died without a word, and what is made is made once. So is, for
     * {@link #RESTART}, one whose connection is refused or breaks.
     */
    private static ServiceConnection.Answer makeOrFind(
            ServiceConnection service, CommunicatorConfig config, long deadlineNs)
            throws IOException, InterruptedException {
        if (RendezvousSelection.needsNoService(config)) {
            return makeOrFind(service, config, FIRST_TIMEOUT);
        }
        Duration limit = FIRST_ATTEMPT;
        long beganNs = System.nanoTime();
        long restartedNs = Math.min(deadlineNs - beganNs, RESTART.toNanos());
        boolean warned = false;
        while (true) {
            Duration left = Duration.ofNanos(Math.max(1, deadlineNs - System.nanoTime()));
            try {
                return makeOrFind(service, config, limit.compareTo(left) < 0 ? limit : left);
            } catch (TemporaryFailureException later) {
                if (deadlineNs - System.nanoTime() <= LONGEST_PAUSE.toNanos()) {
                    throw later;
                }
                LOG.log(Level.DEBUG, "the service is asked again: {0}", later.getMessage());
                limit = limit.multipliedBy(2);
            } catch (SocketException away) {
                long leftNs = restartedNs - (System.nanoTime() - beganNs);
                if (leftNs <= LONGEST_PAUSE.toNanos()) {
                    throw away;
                }
                if (!warned) {
                    LOG.log(
                            Level.WARNING,
                            "the service at {0} does not answer ({1}); it is asked again for {2} s",
                            service.base(),
                            away.getMessage(),
                            Long.toString(Duration.ofNanos(leftNs).toSeconds()));
                    warned = true;
                }
            }
            Thread.sleep(LONGEST_PAUSE);
        }
    }

    private static ServiceConnection.Answer makeOrFind(
            ServiceConnection service, CommunicatorConfig config, Duration timeout)
            throws IOException, InterruptedException {
        JsonObject request = new JsonObject();
        request.put("job", config.jobId());
        request.put("name", config.name());
        request.put("size", config.size());
        request.put("durationSeconds", LEASE_DURATION.toSeconds());
        ServiceConnection.Answer answer =
                service.post("v1/communicators", request, Map.of(), timeout);
        ServiceRefusals.check(answer, config);
        return answer;
    }

    @Override
    public MulticastGroup group() {
        return group;
    }

    @Override
    public GroupSource groupSource() {
        return GroupSource.LEASED;
    }

    @Override
    public @Nullable String scope() {
        RenewingLease fresh = supply.lease();
        return !supply.hasSupplied() ? scope : fresh == null ? null : fresh.scope();
    }

    @Override
    public @Nullable String leaseId() {
        RenewingLease fresh = supply.lease();
        return !supply.hasSupplied() ? leaseId : fresh == null ? null : fresh.id();
    }

    @Override
    public @Nullable Instant leaseExpiresAt() {
        if (supply.hasSupplied()) {
            RenewingLease fresh = supply.lease();
            return fresh == null ? null : fresh.expiresAt();
        }
        return membership == null ? firstExpiry : membership.leaseExpiresAt();
    }

    @Override
    public long token() {
        return token;
    }

    @Override
    public List<Member> meet(Member self, Duration timeout) {
        if (membership != null) {
            throw new IllegalStateException("this rank has met the others already");
        }
        ServiceMeeting meeting =
                new ServiceMeeting(service, config, communicatorId, instance, timeout);
        try {
            JsonFields registered = meeting.register(self);
            membership =
                    new ServiceMembership(
                            service,
                            new ServiceMembership.Place(
                                    communicatorId,
                                    config.rank(),
                                    config.size(),
                                    registered.text("memberSecret"),
                                    leaseId),
                            LEASE_DURATION,
                            granted,
                            firstExpiry);
            List<Member> members = meeting.awaitAll();
            topology = meeting.topology();
            reports =
                    new ServiceReports(
                            service,
                            membership,
                            instance.toString(),
                            RelaySeal.of(config.key(), token),
                            members.stream().map(Member::endpoint).toList());
            return members;
        } catch (IOException unusable) {
            throw new JoinFailedException(
                    "the service at "
                            + service.base()
                            + " gave an invalid answer: "
                            + unusable.getMessage(),
                    unusable);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new JoinFailedException("interrupted while waiting for the others", interrupted);
        } finally {
            serviceLost = meeting.serviceLost();
        }
    }

    @Override
    public boolean canMeetWithoutService() {
        return serviceLost && RendezvousSelection.needsNoService(config);
    }

    @Override
    public boolean leaseLost() {
        RenewingLease fresh = supply.lease();
        if (supply.hasSupplied()) {
            return fresh != null && fresh.isLost();
        }
        return membership != null && membership.leaseLost();
    }

    @Override
    public Optional<ReplacementGroup> freshGroup(MulticastGroup present)
            throws InterruptedException {
        return Optional.of(supply.next(present));
    }

    @Override
    public Optional<KeptTopology> topology() {
        return Optional.ofNullable(topology);
    }

    @Override
    public Optional<ReportChannel> reports() {
        return Optional.ofNullable(reports);
    }

    @Override
    public void close() {
        supply.close();
        if (reports != null) {
            reports.hurry();
        }
        if (membership != null) {
            membership.leave();
        }
        service.close();
    }
}
