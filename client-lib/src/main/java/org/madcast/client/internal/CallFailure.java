package org.madcast.client.internal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.madcast.client.MadcastException;
import org.madcast.client.MismatchException;
import org.madcast.client.RankLostException;

/**
 * Why the collective calls of a communicator end on all of its ranks, as one rank reports it.
 *
 * @param lostRank the rank that is lost, {@link #OTHER_CALLS} or {@link #OTHER_LENGTHS}
 * @param text the sentence for people
 */
record CallFailure(int lostRank, String text) {

    /** Ranks made different calls. */
    static final int OTHER_CALLS = -1;

    /** Ranks made the same call with different lengths. */
    static final int OTHER_LENGTHS = -2;

    private static final int MOST_CHARACTERS = 240;

    byte[] write() {
        String cut = text.substring(0, Math.min(text.length(), MOST_CHARACTERS));
        byte[] bytes = cut.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Integer.BYTES + bytes.length)
                .putInt(lostRank)
                .put(bytes)
                .array();
    }

    static CallFailure read(byte[] bytes) {
        if (bytes.length < Integer.BYTES) {
            return new CallFailure(OTHER_CALLS, "another rank ended its calls");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int rank = in.getInt();
        return new CallFailure(rank, StandardCharsets.UTF_8.decode(in).toString());
    }

    /** Of ranks that disagree. */
    static CallFailure of(MismatchException mismatch) {
        return new CallFailure(
                mismatch.isOfLengths() ? OTHER_LENGTHS : OTHER_CALLS,
                String.valueOf(mismatch.getMessage()));
    }

    MadcastException toException() {
        return lostRank >= 0
                ? new RankLostException(lostRank, text)
                : new MismatchException(text, lostRank == OTHER_LENGTHS);
    }
}
