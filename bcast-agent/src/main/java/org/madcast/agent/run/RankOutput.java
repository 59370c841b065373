package org.madcast.agent.run;

import java.io.PrintWriter;
import java.util.function.Consumer;

/**
 * What ranks say, put together on one of the launcher's outputs: no line of one rank is broken by
 * another's. Any thread.
 */
final class RankOutput {

    private static final int NONE = -1;

    private final PrintWriter writer;
    private final boolean prefixed;
    private int unfinished = NONE;

    /**
     * Writes to this writer.
     *
     * @param prefixed whether each line begins with the number of its rank
     */
    RankOutput(PrintWriter writer, boolean prefixed) {
        this.writer = writer;
        this.prefixed = prefixed;
    }

    /** Where the text of a rank goes: lines, and what has no end of line yet. */
    Consumer<String> of(int rank) {
        return text -> print(rank, text);
    }

    private synchronized void print(int rank, String text) {
        if (unfinished != NONE && unfinished != rank) {
            writer.print('\n');
        }
        if (prefixed && unfinished != rank) {
            writer.print("[" + rank + "] ");
        }
        writer.print(text);
        writer.flush();
        unfinished = text.endsWith("\n") ? NONE : rank;
    }
}
