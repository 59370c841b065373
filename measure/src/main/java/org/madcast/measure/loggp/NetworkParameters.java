package org.madcast.measure.loggp;

import java.util.List;
import java.util.Optional;

/**
 * All that was measured.
 *
 * @param unicast to the first node
 * @param multicast to a group that the first node has joined; empty where multicast does not work
 * @param fans 1:n n:1, for 1 to all nodes
 * @param logFp of these; empty with one node
 * @param advice empty where no size makes sense
 */
record NetworkParameters(
        LogGp unicast,
        Optional<LogGp> multicast,
        List<LogFp.Fan> fans,
        Optional<LogFp> logFp,
        Optional<Advice> advice) {}
