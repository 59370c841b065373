package org.madcast.client.internal;

import org.madcast.client.GroupSource;

/** Who chose a group, as the ranks tell each other with it. */
final class OriginCode {

    private OriginCode() {}

    static int of(GroupSource source) {
        return switch (source) {
            case RANDOM, NONE -> 0;
            case LEASED -> 1;
            case MADCAP -> 2;
            case CONFIGURED -> 3;
        };
    }

    /** What a code says; a later version's code is as good as a random choice. */
    static GroupSource source(int code) {
        return switch (code) {
            case 1 -> GroupSource.LEASED;
            case 2 -> GroupSource.MADCAP;
            case 3 -> GroupSource.CONFIGURED;
            default -> GroupSource.RANDOM;
        };
    }
}
