package org.madcast.client.lease;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.GroupSource;
import org.madcast.client.JoinFailedException;
import org.madcast.client.MulticastGroup;

/**
 * Ranks meet at rank 0, with no service: it listens on TCP at the root address, chooses group and
 * token, and tells them to everybody who belongs to the job.
 *
 * <p>Each of the others connects and says {@link HelloMessage}; rank 0 answers {@code welcome} with
 * group and token, or {@code refused} with a reason. A welcomed rank later sends where it is
 * ({@link Member}); when all have, rank 0 sends each the table of members and the connections end.
 */
final class RootRendezvous implements Rendezvous {

    /**
     * What rank 0 chose.
     *
     * @param lease what the group was leased by, if it was; only on rank 0
     */
    private record Choice(
            MulticastGroup group,
            GroupSource source,
            long token,
            @Nullable String scope,
            @Nullable MadcapLease lease) {}

    private final Choice choice;
    private final @Nullable RootListener listener;
    private final @Nullable RootClient visitor;
    private final GroupAllocator supply;

    private RootRendezvous(
            Choice choice,
            @Nullable RootListener listener,
            @Nullable RootClient visitor,
            CommunicatorConfig config) {
        this.supply = new GroupAllocator(config, null);
        this.choice = choice;
        this.listener = listener;
        this.visitor = visitor;
    }

    /**
     * Listens on rank 0, which then leases a group from an RFC 2730 server if one answers in time;
     * on the others finds rank 0 and gets the group from it.
     *
     * @param leaseBudget how long leasing may take
     * @param left what is left of the join timeout
     * @throws JoinFailedException when rank 0 cannot listen, was not found within that time, or
     *     refused this rank
     */
    static RootRendezvous find(CommunicatorConfig config, Duration leaseBudget, Duration left)
            throws InterruptedException {
        InetSocketAddress address = config.rootAddress();
        if (address == null) {
            throw new IllegalArgumentException("no root address is configured");
        }
        HelloMessage hello = HelloMessage.of(config, UUID.randomUUID().toString());
        return config.rank() == 0
                ? listen(address, hello, config, leaseBudget)
                : visit(address, hello, config, left);
    }

    private static RootRendezvous listen(
            InetSocketAddress address,
            HelloMessage hello,
            CommunicatorConfig config,
            Duration leaseBudget) {
        try {
            RootListener listener =
                    new RootListener(address, hello, config.key(), config.joinTimeout());
            boolean admitting = false;
            try {
                Choice choice = choose(address, config, leaseBudget);
                listener.admit(welcome(choice));
                admitting = true;
                return new RootRendezvous(choice, listener, null, config);
            } finally {
                if (!admitting) {
                    listener.close();
                }
            }
        } catch (IOException notPossible) {
            throw new JoinFailedException(
                    "rank 0 cannot listen at "
                            + CommunicatorConfig.hostAndPort(address)
                            + " ("
                            + notPossible.getMessage()
                            + "); start each rank once, and set MADCAST_ROOT to an address of"
                            + " this host and a free port",
                    notPossible);
        }
    }

    private static RootRendezvous visit(
            InetSocketAddress address, HelloMessage hello, CommunicatorConfig config, Duration left)
            throws InterruptedException {
        RootClient visitor = RootClient.present(address, hello, config, left);
        boolean usable = false;
        try {
            Choice choice = readWelcome(visitor.welcome());
            MulticastGroup configured = config.group();
            if (configured != null && !configured.equals(choice.group())) {
                throw new JoinFailedException(
                        "rank %d is configured for group %s, but rank 0 uses %s (%s)"
                                .formatted(
                                        config.rank(), configured, choice.group(), choice.source()),
                        null);
            }
            usable = true;
            return new RootRendezvous(choice, null, visitor, config);
        } catch (IOException malformed) {
            throw new JoinFailedException(
                    "rank 0 at "
                            + CommunicatorConfig.hostAndPort(address)
                            + " gave an invalid answer: "
                            + malformed.getMessage(),
                    malformed);
        } finally {
            if (!usable) {
                visitor.close();
            }
        }
    }

    private static Choice choose(
            InetSocketAddress root, CommunicatorConfig config, Duration leaseBudget)
            throws UnknownHostException {
        long token = RandomGroups.drawToken();
        MulticastGroup configured = config.group();
        if (configured != null) {
            return new Choice(configured, GroupSource.CONFIGURED, token, null, null);
        }
        MadcapLease lease = MadcapServers.lease(config, root, leaseBudget).orElse(null);
        if (lease != null) {
            return new Choice(lease.group(), GroupSource.MADCAP, token, lease.scope(), lease);
        }
        boolean ipv4 = InetAddress.getByName(root.getHostString()).getAddress().length == 4;
        RandomGroups groups = RandomGroups.seeded();
        MulticastGroup random = ipv4 ? groups.drawIpv4() : groups.drawIpv6();
        return new Choice(random, GroupSource.RANDOM, token, null, null);
    }

    private static JsonObject welcome(Choice choice) {
        JsonObject group = new JsonObject();
        group.put("address", JsonFields.literal(choice.group().address()));
        group.put("port", choice.group().port());
        JsonObject welcome = new JsonObject();
        welcome.put("type", "welcome");
        welcome.put("group", group);
        welcome.put("source", choice.source().name());
        if (choice.scope() != null) {
            welcome.put("scope", choice.scope());
        }
        welcome.put("token", Long.toHexString(choice.token()));
        return welcome;
    }

    private static Choice readWelcome(JsonFields fields) throws IOException {
        String said = fields.text("source");
        GroupSource source =
                said.equals(GroupSource.CONFIGURED.name())
                        ? GroupSource.CONFIGURED
                        : said.equals(GroupSource.MADCAP.name())
                                ? GroupSource.MADCAP
                                : GroupSource.RANDOM;
        @Nullable String scope = fields.has("scope") ? fields.text("scope") : null;
        return new Choice(
                fields.child("group").group(), source, fields.token("token"), scope, null);
    }

    @Override
    public MulticastGroup group() {
        return choice.group();
    }

    @Override
    public GroupSource groupSource() {
        return choice.source();
    }

    @Override
    public @Nullable String scope() {
        RenewingLease held = held();
        return supply.hasSupplied() ? (held == null ? null : held.scope()) : choice.scope();
    }

    @Override
    public @Nullable String leaseId() {
        RenewingLease held = held();
        return held == null ? null : held.id();
    }

    @Override
    public @Nullable Instant leaseExpiresAt() {
        RenewingLease held = held();
        return held == null ? null : held.expiresAt();
    }

    @Override
    public boolean leaseLost() {
        RenewingLease held = held();
        return held != null && held.isLost();
    }

    @Override
    public Optional<ReplacementGroup> freshGroup(MulticastGroup present)
            throws InterruptedException {
        if (choice.source() == GroupSource.CONFIGURED) {
            return Optional.empty();
        }
        return Optional.of(supply.next(present));
    }

    private @Nullable RenewingLease held() {
        return supply.hasSupplied() ? supply.lease() : choice.lease();
    }

    @Override
    public long token() {
        return choice.token();
    }

    @Override
    public List<Member> meet(Member self, Duration timeout) {
        if (visitor != null) {
            return visitor.meet(self, timeout);
        }
        if (listener == null) {
            throw new IllegalStateException("neither rank 0 nor its visitor");
        }
        try {
            return listener.meet(self, timeout);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new JoinFailedException("interrupted while waiting for the others", interrupted);
        } finally {
            listener.close();
        }
    }

    @Override
    public void close() {
        if (visitor != null) {
            visitor.close();
        }
        if (listener != null) {
            listener.close();
        }
        supply.close();
        if (choice.lease() != null) {
            choice.lease().close();
        }
    }
}
