package org.madcast.client.message;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Two plain lists, searched from their beginnings: what MPI prescribes, in the simplest form. */
final class MatchingModel {
    final List<int[]> receives = new ArrayList<>();
    final List<int[]> messages = new ArrayList<>();

    private static boolean fits(int[] receive, int[] message) {
        return receive[0] == message[0]
                && (receive[1] == Matching.ANY || receive[1] == message[1])
                && (receive[2] == Matching.ANY || receive[2] == message[2]);
    }

    int post(int... receive) {
        for (Iterator<int[]> all = messages.iterator(); all.hasNext(); ) {
            int[] message = all.next();
            if (fits(receive, message)) {
                all.remove();
                return message[3];
            }
        }
        receives.add(receive);
        return -1;
    }

    int arrive(int... message) {
        for (Iterator<int[]> all = receives.iterator(); all.hasNext(); ) {
            int[] receive = all.next();
            if (fits(receive, message)) {
                all.remove();
                return receive[3];
            }
        }
        messages.add(message);
        return -1;
    }

    int find(int... wanted) {
        return messages.stream()
                .filter(it -> fits(wanted, it))
                .findFirst()
                .map(it -> it[3])
                .orElse(-1);
    }
}
