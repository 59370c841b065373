package org.madcast.client;

import java.util.Optional;

/**
 * Ranks of which the last ones are spare: they have joined, wait, and take the places of ranks that
 * are lost, so that the program goes on at its full size ({@code madcast run -n 8 --spares 2}).
 *
 * <pre>{@code
 * try (Spares spares = Spares.fromEnvironment()) {
 *     Communicator ranks = spares.awaitPlace().orElse(null);
 *     if (ranks == null) {
 *         return; // a spare that was not needed
 *     }
 *     while (work is left) {
 *         restore the last state that was kept, also that of a lost rank
 *         try {
 *             step(ranks);
 *         } catch (RankLostException | RevokedException loss) {
 *             ranks = spares.restore();
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>A loss is agreed on by {@link Survival#agree}: ranks and waiting spares hold one agreement for
 * each {@link #restore}. It ends also if ranks or spares die meanwhile; one that dies later is in
 * the restored communicator, whose calls then end with its loss.
 *
 * <p>The communicators are as those of {@link Communicator#split}. They are closed by their user,
 * the one before by {@link #restore}. One thread at a time calls.
 */
public interface Spares extends AutoCloseable {

    /**
     * Joins as {@link Communicator#fromEnvironment()} does; {@code MADCAST_SPARES} says how many of
     * the ranks, the last ones, are spare. Without it there are none.
     *
     * @throws IllegalArgumentException when a variable is missing or invalid, or there are not more
     *     ranks than spares
     * @throws JoinFailedException when the ranks did not find each other within the configured time
     * @throws TransportException when no socket could be opened
     */
    static Spares fromEnvironment() {
        return join(
                CommunicatorConfig.fromEnvironment(),
                new CommunicatorConfigEnvironment(System.getenv()).spares());
    }

    /**
     * Joins as {@link Communicator#join} does.
     *
     * @param spares how many of the ranks, the last ones, are spare; 0 or more
     * @throws IllegalArgumentException when there are not more ranks than spares
     */
    static Spares join(CommunicatorConfig config, int spares) {
        if (spares < 0 || spares >= config.size()) {
            throw new IllegalArgumentException(
                    "%d ranks with %d spares (MADCAST_SPARES) leave no rank that works"
                            .formatted(config.size(), spares));
        }
        return new org.madcast.client.internal.SparePlaces(Communicator.join(config), spares);
    }

    /**
     * The communicator of the ranks that work. Returns at once at a rank that is not spare. At a
     * spare it returns when the spare has got the place of a lost rank, with that one's number; or
     * empty when all that work have closed theirs.
     *
     * @throws RankLostException when all ranks that worked are lost, or the others have given this
     *     one up
     */
    Optional<Communicator> awaitPlace();

    /**
     * Makes a communicator in which spares have taken the places of the lost ranks: a collective
     * call of the ranks that work. It revokes the communicator before, so that the others leave
     * their calls and come here, too, and closes it. All others keep their numbers. If there are
     * too few spares, the places at which one is missing are dropped, and the ranks behind them
     * move up, as in {@link Survival#shrink}.
     *
     * @throws IllegalStateException at a spare without a place
     * @throws RankLostException when the others have given this rank up
     */
    Communicator restore();

    /** Leaves. Spares that wait end when all others have. */
    @Override
    void close();
}
