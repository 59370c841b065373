package org.madcast.client.lease;

import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;
import org.madcast.client.GroupSource;
import org.madcast.client.JoinFailedException;
import org.madcast.client.MulticastGroup;

/**
 * The ranks of a communicator that takes a group without a service meet over its messages: rank 0
 * draws group and token, and all ranks get them; then all exchange where they can be reached. Every
 * rank takes part in both, also one whose sockets could not be opened.
 */
public final class ParentRendezvous implements Rendezvous {

    private static final int GROUP_BYTES = 64;
    private static final int MEMBER_BYTES = 64;

    private final Communicator parent;
    private final MulticastGroup group;
    private final long token;
    private boolean met;

    /** Learns the group. */
    public ParentRendezvous(Communicator parent) {
        this.parent = parent;
        ByteBuffer drawn = ByteBuffer.allocate(GROUP_BYTES);
        if (parent.rank() == 0) {
            boolean ipv4 = parent.info().members().getFirst().getAddress() instanceof Inet4Address;
            RandomGroups random = RandomGroups.seeded();
            writeAddress(drawn, (ipv4 ? random.drawIpv4() : random.drawIpv6()).toSocketAddress());
            drawn.putLong(RandomGroups.drawToken());
        }
        ByteBuffer first = allgather(drawn);
        InetSocketAddress address = readAddress(first);
        group = new MulticastGroup(address.getAddress(), address.getPort());
        token = first.getLong();
    }

    @Override
    public List<Member> meet(Member self, Duration timeout) {
        List<Member> members = new ArrayList<>();
        ByteBuffer all = exchange(self);
        for (int rank = 0; rank < parent.size(); rank++) {
            ByteBuffer member = all.position(rank * MEMBER_BYTES);
            if (member.get(member.position()) == 0) {
                throw new JoinFailedException(
                        "rank %d of %s could not open its sockets"
                                .formatted(rank, parent.info().name()),
                        null);
            }
            members.add(readMember(rank, member));
        }
        return members;
    }

    /** Where each rank can be reached; zeros for one that has no sockets. */
    private ByteBuffer exchange(@Nullable Member self) {
        met = true;
        ByteBuffer own = ByteBuffer.allocate(MEMBER_BYTES);
        if (self != null) {
            writeAddress(own, self.endpoint());
            own.putInt(self.receiveBufferBytes()).putInt(self.datagramBytes());
        }
        return allgather(own);
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
            ByteBuffer _ = exchange(null);
        }
    }
}
