package org.madcast.client;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Life after a loss: how the ranks that are left go on without the lost ones. The operations are
 * those of User Level Failure Mitigation (ULFM), the proposal for MPI, named {@code MPIX_Comm_...}
 * where it is implemented.
 *
 * <p>A rank that gets a {@link RankLostException} revokes the communicator, so that all others
 * leave their calls, too. Then all shrink it, and go on from the last state that they have kept:
 *
 * <pre>{@code
 * try {
 *     step(communicator);
 * } catch (RankLostException | RevokedException loss) {
 *     communicator.revoke();
 *     communicator = communicator.shrink();
 *     restore(communicator);
 * }
 * }</pre>
 *
 * <p><b>What is lost.</b> A rank whose process has ended, that does not answer for {@link
 * BroadcastParameters#deathTimeout()}, or that another rank has given up. One that was only slow is
 * excluded all the same; its calls end with a {@link RankLostException}, which names it if it can
 * still be told. A rank that has closed the communicator counts as lost for it.
 *
 * <p><b>After a loss</b> collective calls of the communicator fail for good. Messages between the
 * other ranks go on, also on the communicators that contain the lost rank.
 *
 * <p><b>Threads.</b> Any thread may call. One {@link #agree} or {@link #shrink} at a time: a second
 * one follows when the first has ended. All ranks that live make these calls in the same order.
 */
public interface Survival {

    /**
     * Ends all calls on this communicator, under way or later, at all ranks, with a {@link
     * RevokedException} (MPIX_Comm_revoke). Excepted are this interface's, {@code close}, and
     * questions. Not a collective call: one rank does it, and the others hear of it, also if that
     * one dies, provided that one rank that lives has heard of it. Returns at once; the second time
     * it does nothing.
     *
     * <p>A message of which bytes are on their way may still be received. Communicators that were
     * made out of this one are not revoked.
     *
     * @throws IllegalStateException when the communicator is closed
     */
    void revoke();

    /** Whether this rank has revoked it, or heard of that (MPIX_Comm_is_revoked). */
    boolean isRevoked();

    /**
     * The ranks that are known here to be lost, in ascending order (MPIX_Comm_get_failed). Other
     * ranks may know of more or fewer; after an {@link #agree} each knows of those that any knew of
     * when it began.
     */
    List<Integer> lostRanks();

    /**
     * From now on receives and probes from {@link Messages#ANY_SOURCE} do not depend on the ranks
     * that are known to be lost (MPIX_Comm_ack_failed). Until then each of them fails.
     *
     * @return these ranks, in ascending order
     */
    List<Integer> acknowledgeLost();

    /**
     * Agrees with all ranks that live (MPIX_Comm_agree): a collective call that also works after
     * losses and on a revoked communicator, and ends even if ranks die during it. All ranks at
     * which it returns get the same.
     *
     * <p>It does not tell of losses: {@link #lostRanks()} does. Takes four messages one after the
     * other, and again as many, but for one, for each lowest rank that dies during it.
     *
     * @param flags what this rank contributes
     * @return the bits that are set in the flags of all ranks that take part; a rank that dies
     *     during the call may count or not
     * @throws IllegalStateException when the communicator is closed
     * @throws RankLostException when the others have given this rank up
     */
    long agree(long flags);

    /**
     * Begins an {@link #agree} (MPIX_Comm_iagree). Further ones may be begun meanwhile; they follow
     * each other in the order in which they were begun, which is the same at all ranks.
     *
     * @return ends with what {@link #agree} returns, or with its exception
     */
    CompletableFuture<Long> iagree(long flags);

    /**
     * Makes a communicator of the ranks that live, in their order (MPIX_Comm_shrink): a collective
     * call that also works after losses and on a revoked communicator, and ends even if ranks die
     * during it. All agree on which ranks are lost; one that dies later is in the new communicator,
     * whose calls then end with its loss.
     *
     * <p>The new communicator is as one of {@link Communicator#split}: it takes a multicast group
     * of its own when a broadcast pays for it, and is closed by its user. This one is closed apart.
     *
     * @return the new communicator, of this rank and perhaps no other one
     * @throws IllegalStateException when the communicator is closed
     * @throws RankLostException when the others have given this rank up
     */
    Communicator shrink();

    /**
     * Begins a {@link #shrink} (MPIX_Comm_ishrink); as for {@link #iagree}.
     *
     * @return ends with the new communicator, or with the exception of {@link #shrink}
     */
    CompletableFuture<Communicator> ishrink();
}
