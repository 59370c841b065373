package org.madcast.client.lease;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
 * <p>Each of the others connects and says {@link Hello}; rank 0 answers {@code welcome} with group
 * and token, or {@code refused} with a reason. A welcomed rank later sends where it is ({@link
 * Member}); when all have, rank 0 sends each the table of members and the connections end.
 */
final class RootIntroduction implements Introduction {

    /** What rank 0 chose. */
    private record Choice(MulticastGroup group, GroupSource source, long token) {}

    private final Choice choice;
    private final @Nullable RootListener listener;
    private final @Nullable RootVisitor visitor;

    private RootIntroduction(
            Choice choice, @Nullable RootListener listener, @Nullable RootVisitor visitor) {
        this.choice = choice;
        this.listener = listener;
        this.visitor = visitor;
    }

    /**
     * Listens on rank 0; on the others finds rank 0 and learns the group.
     *
     * @throws JoinFailedException when rank 0 cannot listen, was not found within the join timeout,
     *     or refused this rank
     */
    static RootIntroduction find(CommunicatorConfig config) throws InterruptedException {
        InetSocketAddress address = config.rootAddress();
        if (address == null) {
            throw new IllegalArgumentException("no root address is configured");
        }
        Hello hello = Hello.of(config, UUID.randomUUID().toString());
        return config.rank() == 0 ? listen(address, hello, config) : visit(address, hello, config);
    }

    private static RootIntroduction listen(
            InetSocketAddress address, Hello hello, CommunicatorConfig config) {
        try {
            Choice choice = choose(address, config.group());
            RootListener listener =
                    new RootListener(address, hello, welcome(choice), config.joinTimeout());
            return new RootIntroduction(choice, listener, null);
        } catch (IOException notPossible) {
            throw new JoinFailedException(
                    "rank 0 cannot listen at "
                            + address.getHostString()
                            + ":"
                            + address.getPort()
                            + " ("
                            + notPossible.getMessage()
                            + "); start each rank one time, and set MADCAST_ROOT to an address of"
                            + " this host and a free port",
                    notPossible);
        }
    }

    private static RootIntroduction visit(
            InetSocketAddress address, Hello hello, CommunicatorConfig config)
            throws InterruptedException {
        RootVisitor visitor = RootVisitor.present(address, hello, config.joinTimeout());
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
            return new RootIntroduction(choice, null, visitor);
        } catch (IOException malformed) {
            throw new JoinFailedException(
                    "rank 0 at " + address + " answered nonsense: " + malformed.getMessage(),
                    malformed);
        } finally {
            if (!usable) {
                visitor.close();
            }
        }
    }

    private static Choice choose(InetSocketAddress root, @Nullable MulticastGroup configured)
            throws UnknownHostException {
        if (configured != null) {
            return new Choice(configured, GroupSource.CONFIGURED, Tokens.draw());
        }
        boolean ipv4 = InetAddress.getByName(root.getHostString()).getAddress().length == 4;
        RandomGroups groups = RandomGroups.seeded();
        return new Choice(
                ipv4 ? groups.drawIpv4() : groups.drawIpv6(), GroupSource.RANDOM, Tokens.draw());
    }

    private static JsonObject welcome(Choice choice) {
        JsonObject group = new JsonObject();
        group.put("address", JsonFields.literal(choice.group().address()));
        group.put("port", choice.group().port());
        JsonObject welcome = new JsonObject();
        welcome.put("type", "welcome");
        welcome.put("group", group);
        welcome.put("source", choice.source().name());
        welcome.put("token", Long.toHexString(choice.token()));
        return welcome;
    }

    private static Choice readWelcome(JsonFields fields) throws IOException {
        GroupSource source =
                fields.text("source").equals(GroupSource.CONFIGURED.name())
                        ? GroupSource.CONFIGURED
                        : GroupSource.RANDOM;
        return new Choice(fields.child("group").group(), source, fields.token("token"));
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
        return null;
    }

    @Override
    public @Nullable String leaseId() {
        return null;
    }

    @Override
    public @Nullable Instant leaseExpiresAt() {
        return null;
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
    }
}
