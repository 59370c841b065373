package org.madcast.client.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.client.message.Transfer.Outcome;
import org.madcast.client.message.Transfer.Receive;
import org.madcast.client.message.Transfer.Send;

/** How two ranks of a host come to share memory: rank 1 is this test. */
@Timeout(60)
class SharedMemoryTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int RING_BYTES = 1 << 16;

    /** So that the memory of containers, 64 MiB, is enough for most hosts. */
    @Test
    void allPairsOfAHostTakeABoundedAmount() {
        assertThat(SharedMemory.ringBytes(1)).isEqualTo(1 << 18);
        assertThat(SharedMemory.ringBytes(2)).isEqualTo(1 << 18);
        assertThat(SharedMemory.ringBytes(16)).isEqualTo(1 << 17);
        assertThat(SharedMemory.ringBytes(32)).isEqualTo(1 << 15);
        assertThat(SharedMemory.ringBytes(1000)).isEqualTo(1 << 14);
    }

    /** Offers memory as rank 1, which rank 0 shares. */
    private static SharedMemory share(Socket own, Handshake mine) throws IOException {
        SharedMemory memory =
                Objects.requireNonNull(SharedMemory.create(mine.memoryName(), RING_BYTES));
        own.getOutputStream().write(mine.proof(true));
        assertThat(own.getInputStream().read()).isEqualTo(1);
        return memory;
    }

    /** Either process may end at any moment, so the memory has no name once both have it. */
    @Test
    void memoryThatBothHaveHasNoName() throws IOException {
        try (Endpoints world = new Endpoints(2, null, PATIENCE, true);
                Socket own = new Socket()) {
            Handshake mine = world.connectAsRankOne(own);
            SharedMemory memory = share(own, mine);
            Receive receive = world.receive(0, 1, 5, new byte[3]);
            assertThat(SharedMemory.open(mine.memoryName())).isNull();
            Send _ = world.send(0, 1, 7, new byte[100]);

            SharedRing out = memory.ring(true);
            ByteBuffer room = out.room();
            FrameHeader.eager(Endpoints.CONTEXT, 5, 1, 0, 3).write(room);
            boolean _ = out.wrote(room.position() + 3);
            own.getOutputStream().write(0);
            assertThat(world.await(0, receive)).isEqualTo(new Outcome.Complete(1, 5, 3));
            ByteBuffer in = memory.ring(false).bytes();
            assertThat(in.remaining()).isEqualTo(FrameHeader.BYTES + 100);
        }
    }

    /** As one whose program writes where it must not. */
    @Test
    void aRankThatSpoilsTheMemoryIsLost() throws IOException {
        try (Endpoints world = new Endpoints(2, null, PATIENCE, true);
                Socket own = new Socket()) {
            Handshake mine = world.connectAsRankOne(own);
            SharedMemory memory = share(own, mine);
            Receive receive = world.receive(0, 1, 5, new byte[3]);
            boolean _ = memory.ring(true).wrote(1 << 30);
            own.getOutputStream().write(0);
            String reason = "the connection to it broke: the shared memory was spoiled";
            assertThat(world.await(0, receive)).isEqualTo(new Outcome.Lost(1, reason));
        }
    }

    @Test
    void aRankThatSharesNoMemorySaysSo() throws IOException {
        try (Endpoints world = new Endpoints(2, null, PATIENCE, false);
                Socket own = new Socket()) {
            Handshake mine = world.connectAsRankOne(own);
            SharedMemory memory =
                    Objects.requireNonNull(SharedMemory.create(mine.memoryName(), RING_BYTES));
            try {
                own.getOutputStream().write(mine.proof(true));
                Send send = world.send(0, 1, 7, new byte[100]);
                assertThat(world.await(0, send)).isInstanceOf(Outcome.Complete.class);
                byte[] answer =
                        own.getInputStream()
                                .readNBytes(Handshake.SHARES_BYTES + FrameHeader.BYTES + 100);
                assertThat(answer[0]).isZero();
                assertThat(answer).hasSize(Handshake.SHARES_BYTES + FrameHeader.BYTES + 100);
            } finally {
                memory.unlink();
            }
        }
    }

    /** As in containers with one address and no memory in common. */
    @Test
    void memoryThatCannotBeFoundIsDeclined() throws IOException {
        try (Endpoints world = new Endpoints(2, null, PATIENCE, true);
                Socket own = new Socket()) {
            Handshake mine = world.connectAsRankOne(own);
            own.getOutputStream().write(mine.proof(true));
            assertThat(own.getInputStream().read()).isZero();
            Send send = world.send(0, 1, 7, new byte[100]);
            assertThat(world.await(0, send)).isInstanceOf(Outcome.Complete.class);
            assertThat(own.getInputStream().readNBytes(FrameHeader.BYTES + 100))
                    .hasSize(FrameHeader.BYTES + 100);
        }
    }
}
