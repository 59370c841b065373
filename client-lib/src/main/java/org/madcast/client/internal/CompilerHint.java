package org.madcast.client.internal;

import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Which compilers of the JVM run, and a hint where they are bad for short messages: where more
 * ranks than processors are on a host, its second compiler takes the time that ranks need.
 */
final class CompilerHint {

    static final String FIRST = "first";
    static final String BOTH = "both";
    static final String NONE = "none";

    private static final System.Logger LOG = System.getLogger(CompilerHint.class.getName());
    private static final AtomicBoolean JOINED = new AtomicBoolean();

    private CompilerHint() {}

    /** Of this JVM. */
    static String compilers() {
        return compilers(System.getProperty("java.vm.info", ""));
    }

    /** As the JVM describes itself in the system property {@code java.vm.info}. */
    static String compilers(String description) {
        if (description.contains("interpreted mode")) {
            return NONE;
        }
        return description.contains("emulated-client") ? FIRST : BOTH;
    }

    /**
     * What to tell the user; empty when there is nothing to tell, or another rank of this host
     * tells it.
     *
     * @param members the ranks' endpoints
     * @param rank this one
     * @param processors how many this process may use
     */
    static String hint(
            String compilers, List<InetSocketAddress> members, int rank, int processors) {
        List<InetSocketAddress> onThisHost =
                members.stream()
                        .filter(it -> it.getAddress().equals(members.get(rank).getAddress()))
                        .toList();
        boolean bad = compilers.equals(BOTH) && onThisHost.size() > processors;
        return bad && onThisHost.getFirst().equals(members.get(rank))
                ? "%d ranks share %d processors: short messages are faster with JDK_JAVA_OPTIONS=-XX:TieredStopAtLevel=1"
                        .formatted(onThisHost.size(), processors)
                : "";
    }

    /** Logs the hint when a process first joins: with whom it meets later, it does not choose. */
    static void give(List<InetSocketAddress> members, int rank) {
        if (!JOINED.compareAndSet(false, true)) {
            return;
        }
        String hint = hint(compilers(), members, rank, Runtime.getRuntime().availableProcessors());
        if (!hint.isEmpty()) {
            LOG.log(Level.INFO, hint);
        }
    }
}
