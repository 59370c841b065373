package org.madcast.client.internal;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.madcast.client.ArrivedMessage;
import org.madcast.client.Communicator;
import org.madcast.client.MadcastException;
import org.madcast.client.MessageStatus;
import org.madcast.client.MessageTooLongException;
import org.madcast.client.ObjectCodec;
import org.madcast.client.RankLostException;
import org.madcast.client.RevokedException;
import org.madcast.client.TransportException;
import org.madcast.client.message.MessageEndpoint;
import org.madcast.client.message.Transfer;
import org.madcast.client.message.Transfer.Outcome;

/** The half of a communicator that exchanges messages between two ranks. */
abstract class MessagingCommunicator implements Communicator {

    private final MessageGroup group;
    private volatile boolean closedForMessages;

    MessagingCommunicator(MessageGroup group) {
        this.group = group;
    }

    /** What follows the end of a transfer whose caller waits for it. */
    private static void nothing() {}

    final MessageGroup group() {
        return group;
    }

    private MessageEndpoint endpoint() {
        return group.endpoint();
    }

    final void closeMessages() {
        if (!closedForMessages) {
            closedForMessages = true;
            group.close();
        }
    }

    /** Before every call but those that a revoked communicator has. */
    final void checkOpen() {
        checkNotClosed();
        RevokedException revoked = group.survival().revocation();
        if (revoked != null) {
            throw revoked;
        }
    }

    final void checkNotClosed() {
        if (closedForMessages) {
            throw new IllegalStateException("the communicator is closed");
        }
    }

    @Override
    public void revoke() {
        checkNotClosed();
        RevokedException _ = endpoint().with(() -> group.survival().revoke(group.self()));
    }

    @Override
    public boolean isRevoked() {
        return group.survival().revocation() != null;
    }

    @Override
    public List<Integer> lostRanks() {
        checkNotClosed();
        return list(endpoint().with(group.survival()::absent));
    }

    @Override
    public List<Integer> acknowledgeLost() {
        checkNotClosed();
        return list(endpoint().with(group.survival()::acknowledge));
    }

    private static List<Integer> list(BitSet ranks) {
        return ranks.stream().boxed().toList();
    }

    @Override
    public long agree(long flags) {
        checkNotClosed();
        return group.survival().agree(flags).verdict().flags();
    }

    @Override
    public ObjectCodec codec() {
        return new ObjectCodec(group.world().config().objectFilter());
    }

    final int checkRank(String what, int rank) {
        if (rank < 0 || rank >= group.size()) {
            throw new IllegalArgumentException(
                    what + " " + rank + " is outside 0 to " + (group.size() - 1));
        }
        return group.inWorld(rank);
    }

    final void checkMemory(String what, MemorySegment memory) {
        if (!memory.isAccessibleBy(endpoint().thread())) {
            throw new IllegalArgumentException(
                    what
                            + " belongs to one thread; use a heap array or a shared or automatic"
                            + " arena");
        }
    }

    private static void checkTag(int tag) {
        if (tag < 0) {
            throw new IllegalArgumentException("tag " + tag + " is negative");
        }
    }

    private Transfer.Send sending(
            MemorySegment data, int destination, int tag, boolean synchronous, Runnable whenDone) {
        checkOpen();
        int number = checkRank("destination", destination);
        checkTag(tag);
        checkMemory("the message", data);
        return new Transfer.Send(group.context(), number, tag, 0, data, synchronous, whenDone);
    }

    private Transfer.Receive receiving(
            MemorySegment buffer, int source, int tag, Runnable whenDone) {
        int number = source == ANY_SOURCE ? ANY_SOURCE : checkRank("source", source);
        checkEnvelope(source, tag);
        checkMemory("the buffer", buffer);
        if (buffer.isReadOnly()) {
            throw new IllegalArgumentException("the buffer of a receive is read-only");
        }
        return new Transfer.Receive(group.context(), number, tag, 0, buffer, whenDone);
    }

    @Override
    public CompletableFuture<MessageStatus> irecv(
            LongFunction<MemorySegment> buffer, int source, int tag) {
        checkEnvelope(source, tag);
        int number = numberOrAny(source);
        return begin(
                done -> new Transfer.Receive(group.context(), number, tag, buffer, done),
                endpoint()::start);
    }

    @Override
    public void poll() {
        endpoint().poll();
    }

    @Override
    public boolean await(BooleanSupplier condition, Duration timeout) {
        return endpoint().await(condition, timeout.toNanos());
    }

    private void checkEnvelope(int source, int tag) {
        checkOpen();
        if (source != ANY_SOURCE) {
            int _ = checkRank("source", source);
        }
        if (tag != ANY_TAG) {
            checkTag(tag);
        }
    }

    @Override
    public void send(MemorySegment data, int destination, int tag) {
        MessageStatus _ =
                sendNow(sending(data, destination, tag, false, MessagingCommunicator::nothing));
    }

    @Override
    public void ssend(MemorySegment data, int destination, int tag) {
        MessageStatus _ =
                sendNow(sending(data, destination, tag, true, MessagingCommunicator::nothing));
    }

    private MessageStatus sendNow(Transfer.Send send) {
        endpoint().start(send);
        return await(send);
    }

    @Override
    public MessageStatus recv(MemorySegment buffer, int source, int tag) {
        Transfer.Receive receive = receiving(buffer, source, tag, MessagingCommunicator::nothing);
        endpoint().start(receive);
        return await(receive);
    }

    private MessageStatus await(Transfer transfer) {
        if (transfer.outcome() == null) {
            endpoint().await(() -> transfer.outcome() != null, Long.MAX_VALUE);
        }
        MadcastException failure = failure(transfer);
        if (failure != null) {
            throw failure;
        }
        return status(transfer);
    }

    @Override
    public CompletableFuture<MessageStatus> isend(MemorySegment data, int destination, int tag) {
        return begin(done -> sending(data, destination, tag, false, done), endpoint()::start);
    }

    @Override
    public CompletableFuture<MessageStatus> issend(MemorySegment data, int destination, int tag) {
        return begin(done -> sending(data, destination, tag, true, done), endpoint()::start);
    }

    @Override
    public CompletableFuture<MessageStatus> irecv(MemorySegment buffer, int source, int tag) {
        return begin(done -> receiving(buffer, source, tag, done), endpoint()::start);
    }

    private <T extends Transfer> CompletableFuture<MessageStatus> begin(
            java.util.function.Function<Runnable, T> transfer,
            java.util.function.Consumer<T> start) {
        Pending<T> pending = new Pending<>();
        DrivenFuture<MessageStatus> future =
                new DrivenFuture<>(
                        endpoint(),
                        () ->
                                pending.transfer instanceof Transfer.Receive receive
                                        && endpoint().cancel(receive));
        T made =
                transfer.apply(() -> {
                    T ended = pending.transfer;
                    if (ended != null) {
                        MadcastException failure = failure(ended);
                        future.finish(failure == null ? status(ended) : null, failure);
                    }
                });
        pending.transfer = made;
        start.accept(made);
        return future;
    }

    /** A transfer that its own end must know. */
    private static final class Pending<T extends Transfer> {
        private volatile @Nullable T transfer;
    }

    private MessageStatus status(Transfer transfer) {
        return switch (transfer.outcome()) {
            case Outcome.Complete complete -> status(complete);
            case null, default -> new MessageStatus(-1, -1, 0, true);
        };
    }

    private MessageStatus status(Outcome.Complete complete) {
        return new MessageStatus(
                group.rankOf(complete.source()), complete.tag(), complete.bytes(), false);
    }

    private @Nullable MadcastException failure(Transfer transfer) {
        return switch (transfer.outcome()) {
            case Outcome.Complete _, Outcome.Cancelled _ -> null;
            case Outcome.TooLong(int source, int tag, long bytes) ->
                    new MessageTooLongException(
                            new MessageStatus(group.rankOf(source), tag, bytes, false),
                            transfer.byteSize());
            case Outcome.Lost(int number, String reason) ->
                    new RankLostException(
                            group.rankOf(number),
                            "rank %d is lost: %s".formatted(group.rankOf(number), reason));
            case Outcome.Revoked _ -> group.survival().revocation();
            case Outcome.Mismatch _ ->
                    new TransportException("a message of a collective call came to none", null);
            case null ->
                    new TransportException(
                            "rank " + group.self() + ": the communicator was closed", null);
        };
    }

    @Override
    public Optional<MessageStatus> iprobe(int source, int tag) {
        checkEnvelope(source, tag);
        return Optional.ofNullable(endpoint().probe(group.context(), numberOrAny(source), tag))
                .map(this::status);
    }

    @Override
    public MessageStatus probe(int source, int tag) {
        checkEnvelope(source, tag);
        return awaitMessage(source, () -> iprobe(source, tag));
    }

    @Override
    public Optional<ArrivedMessage> improbe(int source, int tag) {
        checkEnvelope(source, tag);
        return Optional.ofNullable(endpoint().claim(group.context(), numberOrAny(source), tag))
                .map(Found::new);
    }

    @Override
    public ArrivedMessage mprobe(int source, int tag) {
        checkEnvelope(source, tag);
        return awaitMessage(source, () -> improbe(source, tag));
    }

    private int numberOrAny(int source) {
        return source == ANY_SOURCE ? ANY_SOURCE : group.inWorld(source);
    }

    private <T> T awaitMessage(int source, Supplier<Optional<T>> look) {
        Optional<?>[] found = {Optional.empty()};
        endpoint()
                .await(
                        () -> {
                            if (found[0].isEmpty() && !closedForMessages) {
                                found[0] = look.get(); // once: it may take the message out
                            }
                            return found[0].isPresent()
                                    || closedForMessages
                                    || isRevoked()
                                    || lost(source) >= 0;
                        },
                        Long.MAX_VALUE);
        RevokedException revoked = group.survival().revocation();
        if (found[0].isEmpty() && revoked != null) {
            throw revoked;
        }
        int lost = lost(source);
        if (found[0].isEmpty() && lost >= 0 && !closedForMessages) {
            throw new RankLostException(lost, "rank %d is lost".formatted(lost));
        }
        @SuppressWarnings("unchecked")
        Optional<T> typed = (Optional<T>) found[0];
        return typed.orElseThrow(
                () -> new IllegalStateException("the communicator was closed meanwhile"));
    }

    /** The lost rank on which a receive from this source depends, or -1. */
    private int lost(int source) {
        return endpoint()
                .with(() -> {
                    GroupSurvival survival = group.survival();
                    return source == ANY_SOURCE
                            ? survival.unacknowledged()
                            : survival.absent().get(source) ? source : -1;
                });
    }

    /** A message that was taken out. */
    private final class Found implements ArrivedMessage {
        private final MessageEndpoint.Found found;
        private final AtomicBoolean received = new AtomicBoolean();

        Found(MessageEndpoint.Found found) {
            this.found = found;
        }

        @Override
        public MessageStatus status() {
            return MessagingCommunicator.this.status(found.envelope());
        }

        private Transfer.Receive receiving(MemorySegment buffer, Runnable whenDone) {
            Transfer.Receive receive =
                    MessagingCommunicator.this.receiving(buffer, ANY_SOURCE, ANY_TAG, whenDone);
            if (received.getAndSet(true)) {
                throw new IllegalStateException("the message was received before");
            }
            return receive;
        }

        @Override
        public MessageStatus recv(MemorySegment buffer) {
            Transfer.Receive receive = receiving(buffer, MessagingCommunicator::nothing);
            endpoint().start(found, receive);
            return await(receive);
        }

        @Override
        public CompletableFuture<MessageStatus> irecv(MemorySegment buffer) {
            return begin(
                    done -> receiving(buffer, done), receive -> endpoint().start(found, receive));
        }
    }
}
