package org.madcast.client.lease;

import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;
import org.madcast.client.GroupSource;
import org.madcast.client.JoinFailedException;
import org.madcast.client.MulticastGroup;

/**
 * The ranks of a communicator that is split without a service meet over the communicator itself:
 * the first rank of each part draws group and token, and all ranks exchange them; then all exchange
 * where they can be reached. Every rank of the parent takes part in both exchanges, also one that
 * gets no new communicator or whose sockets could not be opened.
 */
public final class ParentRendezvous implements Rendezvous {

    private static final int GROUP_BYTES = 64;
    private static final int MEMBER_BYTES = 64;

    private final Communicator parent;
    private final List<Integer> part;
    private final MulticastGroup group;
    private final long token;
    private boolean met;

    /**
     * Learns the group.
     *
     * @param parts the parts, each with the parent's ranks in the order of their new ranks; the
     *     same on every rank
     * @param part the part of this rank, empty when it is in none
     */
    public ParentRendezvous(Communicator parent, List<List<Integer>> parts, List<Integer> part) {
        this.parent = parent;
        this.part = part;
        boolean ipv4 = parent.info().members().getFirst().getAddress() instanceof Inet4Address;
        MulticastGroup own = RandomGroups.seeded().drawIpv4();
        long ownToken = 0;
        ByteBuffer drawn = ByteBuffer.allocate(GROUP_BYTES);
        if (parts.stream().anyMatch(it -> it.getFirst() == parent.rank())) {
            RandomGroups random = RandomGroups.seeded();
            writeAddress(drawn, (ipv4 ? random.drawIpv4() : random.drawIpv6()).toSocketAddress());
            drawn.putLong(RandomGroups.drawToken());
        }
        ByteBuffer all = allgather(drawn);
        if (!part.isEmpty()) {
            ByteBuffer message = all.position(part.getFirst() * GROUP_BYTES);
            InetSocketAddress address = readAddress(message);
            own = new MulticastGroup(address.getAddress(), address.getPort());
            ownToken = message.getLong();
        }
        group = own;
        token = ownToken;
    }

    @Override
    public List<Member> meet(Member self, Duration timeout) {
        List<Member> members = exchange(self);
        for (int rank = 0; rank < part.size(); rank++) {
            if (members.get(rank) == null) {
                throw new JoinFailedException(
                        "rank %d of the parent, rank %d of its part, could not open its sockets"
                                .formatted(part.get(rank), rank),
                        null);
            }
        }
        return members;
    }

    /** Every rank of the parent in turn; null for one that has no sockets. */
    private List<Member> exchange(@Nullable Member self) {
        met = true;
        List<Member> members = new ArrayList<>();
        part.forEach(_ -> members.add(null));
        ByteBuffer own = ByteBuffer.allocate(MEMBER_BYTES);
        if (self != null) {
            writeAddress(own, self.endpoint());
            own.putInt(self.receiveBufferBytes()).putInt(self.datagramBytes());
        }
        ByteBuffer all = allgather(own);
        for (int place = 0; place < part.size(); place++) {
            ByteBuffer message = all.position(part.get(place) * MEMBER_BYTES);
            if (message.get(message.position()) != 0) {
                members.set(place, readMember(place, message));
            }
        }
        return members;
    }

    private ByteBuffer allgather(ByteBuffer own) {
        byte[] all = new byte[own.capacity() * parent.size()];
        parent.allgather(MemorySegment.ofBuffer(own.clear()), MemorySegment.ofArray(all));
        return ByteBuffer.wrap(all);
    }

    private static Member readMember(int place, ByteBuffer from) {
        InetSocketAddress endpoint = readAddress(from);
        try {
            return new Member(place, endpoint, from.getInt(), from.getInt());
        } catch (IllegalArgumentException notOneHost) {
            throw new JoinFailedException(String.valueOf(notOneHost.getMessage()), notOneHost);
        }
    }

    private static void writeAddress(ByteBuffer to, InetSocketAddress address) {
        byte[] bytes = address.getAddress().getAddress();
        to.put((byte) bytes.length).put(bytes).putInt(address.getPort());
    }

    private static InetSocketAddress readAddress(ByteBuffer from) {
        byte[] bytes = new byte[from.get()];
        from.get(bytes);
        try {
            return new InetSocketAddress(InetAddress.getByAddress(bytes), from.getInt());
        } catch (UnknownHostException wrongLength) {
            throw new JoinFailedException("the parent's ranks run other versions", wrongLength);
        }
    }

    @Override
    public MulticastGroup group() {
        return group;
    }

    @Override
    public GroupSource groupSource() {
        return GroupSource.RANDOM;
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
    public Optional<ReplacementGroup> freshGroup(MulticastGroup present) {
        return Optional.of(GroupAllocator.random(present));
    }

    @Override
    public long token() {
        return token;
    }

    /** Tells the others, who wait for it, when this rank never came to meet them. */
    @Override
    public void close() {
        if (!met) {
            List<Member> _ = exchange(null);
        }
    }
}
