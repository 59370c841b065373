package org.madcast.client.internal;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.madcast.client.Algorithm;
import org.madcast.client.BroadcastSite;
import org.madcast.client.report.SiteReporter;

/** A communicator's place with a name. */
final class NamedSite implements BroadcastSite {

    private final EngineCommunicator communicator;
    private final Optional<SiteReporter> reporter;

    NamedSite(EngineCommunicator communicator, Optional<SiteReporter> reporter) {
        this.communicator = communicator;
        this.reporter = reporter;
    }

    static String check(String name) {
        if (name.isEmpty()
                || name.length() > LONGEST_NAME
                || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "a site's name has 1 to "
                            + LONGEST_NAME
                            + " characters and no control characters, not '"
                            + name
                            + "'");
        }
        return name;
    }

    @Override
    public void bcast(MemorySegment buffer, int root) {
        communicator.broadcast(buffer, root, null, reporter);
    }

    @Override
    public void bcast(MemorySegment buffer, int root, Algorithm algorithm) {
        communicator.broadcast(buffer, root, algorithm, reporter);
    }

    @Override
    public CompletableFuture<Void> ibcast(MemorySegment buffer, int root) {
        return communicator.begin(buffer, root, null, reporter);
    }

    @Override
    public CompletableFuture<Void> ibcast(MemorySegment buffer, int root, Algorithm algorithm) {
        return communicator.begin(buffer, root, algorithm, reporter);
    }
}
