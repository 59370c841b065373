package org.madcast.agent.faults;

/**
 * How a rank's broadcasts ended.
 *
 * @param completed how many there were, or the number of the one that failed
 * @param wrong how many brought other bytes than the root's
 * @param longestMs the longest one, or how long the failed one took
 * @param failure the exception's name, empty when all were completed
 * @param lostRank the rank that the exception names, or -1
 * @param text what the exception says
 */
record Outcome(
        int rank,
        int completed,
        int wrong,
        long longestMs,
        String failure,
        int lostRank,
        String text) {

    static Outcome of(int rank, String line) {
        String[] words = line.split(" ", 6);
        if (words[0].equals("done")) {
            return new Outcome(
                    rank,
                    Integer.parseInt(words[1]),
                    Integer.parseInt(words[2]),
                    Long.parseLong(words[3]),
                    "",
                    -1,
                    "");
        }
        if (!words[0].equals("failed")) {
            throw new IllegalArgumentException("rank " + rank + " said: " + line);
        }
        return new Outcome(
                rank,
                Integer.parseInt(words[1]),
                0,
                Long.parseLong(words[4]),
                words[2],
                Integer.parseInt(words[3]),
                words[5]);
    }

    /** True when every message arrived with the root's bytes. */
    boolean isRight() {
        return failure.isEmpty() && wrong == 0;
    }
}
