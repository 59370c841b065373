package org.madcast.client.internal;

import java.net.InetAddress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.madcast.client.MadcastException;
import org.madcast.client.MismatchException;
import org.madcast.client.RankLostException;
import org.madcast.client.RevokedException;
import org.madcast.client.io.EngineLoop;
import org.madcast.client.io.NetworkAttachment;
import org.madcast.client.protocol.BroadcastEngine;
import org.madcast.client.protocol.Failure;

/**
 * What the two halves of a communicator, its broadcast engine and its messages, tell each other of
 * why nothing works any more: calls of both end, whichever half has noticed.
 */
final class SharedFailures {

    private final BroadcastEngine engine;
    private final EngineLoop loop;
    private final MessageGroup group;
    private final InetAddress own;
    private volatile CallHistory.@Nullable Difference different;
    private boolean messagesTold;

    /**
     * Of one communicator.
     *
     * @param own the address that this rank's sockets are bound to
     */
    SharedFailures(BroadcastEngine engine, EngineLoop loop, MessageGroup group, InetAddress own) {
        this.engine = engine;
        this.loop = loop;
        this.group = group;
        this.own = own;
        group.survival().whenRevoked(this::endRevoked);
        group.whenLost(rank -> later(it -> it.onDisconnected(System.nanoTime(), rank)));
        group.whenDifferent(this::endDifferent);
    }

    private void endRevoked() {
        RevokedException why = group.survival().revocation();
        if (why != null) {
            loop.with(() -> {
                engine.revoke(System.nanoTime(), why.rank());
                return why;
            });
        }
    }

    private void endDifferent(CallHistory.Difference calls) {
        different = calls;
        later(_ -> tell(calls));
    }

    private void tell(CallHistory.Difference calls) {
        int own = CallSignature.kind(calls.own());
        engine.markDifferent(System.nanoTime(), own, CallSignature.kind(calls.its()));
    }

    /** Before the engine leaves: the other ranks must hear of more than that. */
    void tellEngine(GoodBye goodBye) {
        CallHistory.Difference calls = different;
        if (calls == null && group.failure() instanceof MismatchException) {
            goodBye.awaitFailure(); // which another rank's engine spreads
        } else if (calls != null) {
            loop.with(() -> {
                tell(calls);
                return calls;
            });
        }
    }

    /** On a thread of its own: who tells it may hold another engine's lock. */
    private void later(Consumer<BroadcastEngine> tell) {
        Background.run(() ->
                loop.with(() -> {
                    if (!loop.isOver()) {
                        tell.accept(engine);
                    }
                    return tell;
                }));
    }

    /** Tells the messages once what the engine has found; under the loop's lock. */
    void tellMessages() {
        Failure failure = messagesTold ? null : engine.failure();
        if (failure == null) {
            return;
        }
        messagesTold = true;
        if (EngineFailure.toException(failure) instanceof MismatchException mismatch) {
            group.onEngineMismatch(mismatch, failure.rank() == group.self());
        }
        if (failure.kind() == Failure.Kind.REVOKED) {
            RevokedException _ =
                    group.endpoint().with(() -> group.survival().revoke(failure.rank()));
        }
        if (failure.kind() == Failure.Kind.RANK_DIED) {
            String counts = engine.counters().describe();
            group.endpoint()
                    .markLost(
                            group.inWorld(failure.rank()),
                            "%s (of this rank: %s)%s"
                                    .formatted(failure.reason(), counts, ownAddress()));
        }
    }

    /** For the message of a lost rank, when this rank's own address is gone; else empty. */
    private String ownAddress() {
        return NetworkAttachment.isHere(own)
                ? ""
                : "; this rank's own address %s is no longer an address of this machine"
                        .formatted(own.getHostAddress());
    }

    /** What a caller gets for the engine's failure: what the messages know says more. */
    MadcastException exception(Failure failure) {
        RevokedException revoked = group.survival().revocation();
        if (revoked != null) {
            return revoked;
        }
        boolean unnamed =
                failure.kind() == Failure.Kind.CALL_MISMATCH
                        || failure.kind() == Failure.Kind.RANK_LEFT;
        if (unnamed && group.failure() instanceof MismatchException told) {
            return told;
        }
        return failure.kind() == Failure.Kind.RANK_DIED
                ? new RankLostException(failure.rank(), failure.describe() + ownAddress())
                : EngineFailure.toException(failure);
    }
}
