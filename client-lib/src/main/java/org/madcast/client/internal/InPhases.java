package org.madcast.client.internal;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Collective;

/**
 * A collective call that is made of others, one after the other. Only a caller who waits is served
 * so: a broadcast takes its place in the order of calls when it begins, and that would be whenever
 * the phase before is through.
 */
final class InPhases implements Collective {

    private final MessageGroup group;
    private final int kind;
    private final long bytes;
    private final List<Collective> phases;
    private final Supplier<Collective> whenBegun;
    private @Nullable Collective begun;

    /**
     * A call that has not begun.
     *
     * @param kind as the profile of calls numbers them
     * @param bytes the length that the profile shows
     * @param whenBegun makes the same call for a caller who does not wait
     */
    InPhases(
            MessageGroup group,
            int kind,
            long bytes,
            List<Collective> phases,
            Supplier<Collective> whenBegun) {
        this.group = group;
        this.kind = kind;
        this.bytes = bytes;
        this.phases = phases;
        this.whenBegun = whenBegun;
    }

    @Override
    public CompletableFuture<Void> start() {
        if (begun == null) {
            begun = whenBegun.get();
        }
        return begun.start();
    }

    @Override
    public void run() {
        long began = group.calls().begin();
        try {
            phases.forEach(Collective::run);
        } finally {
            group.ended(began, kind, bytes, -1);
        }
    }
}
