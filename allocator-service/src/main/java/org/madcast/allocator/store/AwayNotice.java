package org.madcast.allocator.store;

import java.util.EnumMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Logs what is wrong with the database, each kind of trouble once a minute, since meanwhile each
 * request and each scheduled task fails. Any thread calls.
 */
@Component
public class AwayNotice {

    private static final Logger LOG = LoggerFactory.getLogger(AwayNotice.class);

    private final Map<StoreTrouble, OnceAMinute> notices = new EnumMap<>(StoreTrouble.class);

    AwayNotice() {
        for (StoreTrouble each : StoreTrouble.values()) {
            notices.put(each, new OnceAMinute());
        }
    }

    /** Something failed for this reason. */
    void tell(StoreTrouble trouble, Throwable failure) {
        OnceAMinute notice = notices.get(trouble);
        if (notice != null && notice.isDue()) {
            LOG.warn("{}: {}", trouble.words(), oneLine(failure));
        }
    }

    private static String oneLine(Throwable failure) {
        return String.valueOf(failure.getMessage()).replaceAll("\\s*\\R\\s*", " ");
    }
}
