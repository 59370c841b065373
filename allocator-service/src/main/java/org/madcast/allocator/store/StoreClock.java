package org.madcast.allocator.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * The database's clock for what must not ask it each time: as it was read the last time, and what
 * has passed since. This machine's own clock may be wrong, or step, without anybody's noticing.
 * From any thread.
 */
@Component
public class StoreClock {

    private final SqlTime time;
    private volatile @Nullable Reading last;

    StoreClock(SqlTime time) {
        this.time = time;
    }

    private record Reading(Instant at, long readNs) {}

    /** Reads the clock again. */
    public Instant read() {
        Reading reading = new Reading(time.now(), System.nanoTime());
        last = reading;
        return reading.at();
    }

    /** About the time; asks the database if its clock was not read yet. */
    public Instant now() {
        Reading reading = last;
        return reading == null
                ? read()
                : reading.at().plusNanos(System.nanoTime() - reading.readNs());
    }
}
