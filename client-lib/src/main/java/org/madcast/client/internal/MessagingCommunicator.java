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
import org.madcast.client.message.FoundMessage;
import org.madcast.client.message.MessageEndpoint;
import org.madcast.client.message.Transfer;
import org.madcast.client.message.Transfer.Outcome;
import org.madcast.client.report.CallRecorder;

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
        long began = beginWait();
        try {
            return group.survival().agree(flags).verdict().flags();
        } finally {
            group.ended(began, CallRecorder.AGREE, 0, -1);
        }
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
        CallArguments.checkAccess(what, memory, endpoint().thread());
    }

    private int checkSend(MemorySegment data, int destination, int tag) {
        checkOpen();
        int number = checkRank("destination", destination);
        CallArguments.checkTag(tag);
        checkMemory("the message", data);
        return number;
    }

    private Transfer.Send sending(
            MemorySegment data, int destination, int tag, boolean synchronous, Runnable whenDone) {
        int number = checkSend(data, destination, tag);
        group.calls().sent(number, data.byteSize());
        return new Transfer.Send(group.context(), number, tag, 0, data, synchronous, whenDone);
    }

    private Transfer.Receive receiving(
            MemorySegment buffer, int source, int tag, Runnable whenDone) {
        checkEnvelope(source, tag);
        int number = numberOrAny(source);
        checkMemory("the buffer", buffer);
        if (buffer.isReadOnly()) {
            throw new IllegalArgumentException("the buffer of a receive is read-only");
        }
        return new Transfer.Receive(group.context(), number, tag, 0, buffer, null, whenDone);
    }

    @Override
    public CompletableFuture<MessageStatus> irecv(
            LongFunction<MemorySegment> buffer, int source, int tag) {
        checkEnvelope(source, tag);
        int number = numberOrAny(source);
        return begin(
                CallRecorder.RECV,
                done ->
                        new Transfer.Receive(
                                group.context(), number, tag, 0, MemorySegment.NULL, buffer, done),
                endpoint()::start);
    }

    @Override
    public void poll() {
        endpoint().poll();
    }

    @Override
    public boolean await(BooleanSupplier condition, Duration timeout) {
        long began = beginWait();
        try {
            return endpoint().await(condition, timeout.toNanos());
        } finally {
            group.ended(began, CallRecorder.WAIT, 0, -1);
        }
    }

    private void checkEnvelope(int source, int tag) {
        checkOpen();
        if (source != ANY_SOURCE) {
            int _ = checkRank("source", source);
        }
        if (tag != ANY_TAG) {
            CallArguments.checkTag(tag);
        }
    }

    @Override
    public MessageStatus sendRecv(
            MemorySegment data,
            int destination,
            int sendTag,
            MemorySegment buffer,
            int source,
            int receiveTag) {
        // As soon as the receive is posted it may take a message, so this comes first.
        int _ = checkSend(data, destination, sendTag);
        return Communicator.super.sendRecv(data, destination, sendTag, buffer, source, receiveTag);
    }

    @Override
    public void send(MemorySegment data, int destination, int tag) {
        sendNow(CallRecorder.SEND, data, destination, tag);
    }

    @Override
    public void ssend(MemorySegment data, int destination, int tag) {
        sendNow(CallRecorder.SSEND, data, destination, tag);
    }

    private void sendNow(int kind, MemorySegment data, int destination, int tag) {
        boolean waitsForReceive = kind == CallRecorder.SSEND;
        long began = group.calls().begin();
        try {
            Transfer.Send send =
                    sending(
                            data,
                            destination,
                            tag,
                            waitsForReceive,
                            MessagingCommunicator::nothing);
            endpoint().start(send);
            MessageStatus _ = await(send);
        } finally {
            group.ended(began, kind, data.byteSize(), destination);
        }
    }

    private long beginWait() {
        long began = group.calls().begin();
        group.calls().waits();
        return began;
    }

    @Override
    public MessageStatus recv(MemorySegment buffer, int source, int tag) {
        long began = group.calls().begin();
        MessageStatus status = null;
        try {
            Transfer.Receive receive =
                    receiving(buffer, source, tag, MessagingCommunicator::nothing);
            endpoint().start(receive);
            status = await(receive);
            return status;
        } finally {
            endReceive(began, CallRecorder.RECV, source, status);
        }
    }

    private void endReceive(long began, int kind, int source, @Nullable MessageStatus status) {
        if (status == null) {
            group.ended(began, kind, 0, source);
        } else {
            group.ended(began, kind, status.bytes(), status.source());
        }
    }

    private MessageStatus await(Transfer transfer) {
        if (transfer.outcome() == null) {
            group.calls().waits();
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
        return begin(
                CallRecorder.SEND,
                done -> sending(data, destination, tag, false, done),
                endpoint()::start);
    }

    @Override
    public CompletableFuture<MessageStatus> issend(MemorySegment data, int destination, int tag) {
        return begin(
                CallRecorder.SSEND,
                done -> sending(data, destination, tag, true, done),
                endpoint()::start);
    }

    @Override
    public CompletableFuture<MessageStatus> irecv(MemorySegment buffer, int source, int tag) {
        return begin(
                CallRecorder.RECV, done -> receiving(buffer, source, tag, done), endpoint()::start);
    }

    private <T extends Transfer> CompletableFuture<MessageStatus> begin(
            int kind,
            java.util.function.Function<Runnable, T> transfer,
            java.util.function.Consumer<T> start) {
        long began = group.calls().begin();
        Pending<T> pending = new Pending<>();
        DrivenFuture<MessageStatus> future =
                new DrivenFuture<>(
                        group,
                        -1,
                        () ->
                                pending.transfer instanceof Transfer.Receive receive
                                        && endpoint().cancel(receive));
        try {
            T made =
                    transfer.apply(() -> {
                        T ended = pending.transfer;
                        if (ended != null) {
                            future.dependsOn(rank(ended));
                            MadcastException failure = failure(ended);
                            future.finish(failure == null ? status(ended) : null, failure);
                        }
                    });
            pending.transfer = made;
            future.dependsOn(rank(made));
            start.accept(made);
        } finally {
            T made = pending.transfer;
            long bytes = made == null ? 0 : made.byteSize();
            group.ended(began, kind + CallRecorder.BEGUN, bytes, future.rank());
        }
        return future;
    }

    private int rank(Transfer transfer) {
        int number = transfer.peer();
        return number < 0 ? -1 : group.rankOf(number);
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
                            "rank %d is lost: %s".formatted(group.rankOf(number), reason),
                            reason.equals(MessageEndpoint.LEFT));
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
        long began = beginWait();
        MessageStatus status = null;
        try {
            status = awaitMessage(source, () -> iprobe(source, tag));
            return status;
        } finally {
            endReceive(began, CallRecorder.PROBE, source, status);
        }
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
        long began = beginWait();
        MessageStatus status = null;
        try {
            ArrivedMessage found = awaitMessage(source, () -> improbe(source, tag));
            status = found.status();
            return found;
        } finally {
            endReceive(began, CallRecorder.PROBE, source, status);
        }
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
        private final FoundMessage found;
        private final AtomicBoolean received = new AtomicBoolean();

        Found(FoundMessage found) {
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
            long began = group.calls().begin();
            try {
                Transfer.Receive receive = receiving(buffer, MessagingCommunicator::nothing);
                endpoint().start(found, receive);
                return await(receive);
            } finally {
                endReceive(began, CallRecorder.RECV, -1, status());
            }
        }

        @Override
        public CompletableFuture<MessageStatus> irecv(MemorySegment buffer) {
            return begin(
                    CallRecorder.RECV,
                    done -> receiving(buffer, done),
                    receive -> endpoint().start(found, receive));
        }
    }
}
