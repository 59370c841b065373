package org.madcast.client.message;

import org.madcast.client.message.Transfer.Outcome;
import org.madcast.client.message.Unexpected.Claimed;

/** A message that was taken out of those that wait: no other receive gets it any more. */
public final class FoundMessage {

    final Claimed claimed;

    FoundMessage(Claimed claimed) {
        this.claimed = claimed;
    }

    /** Its sender, tag and length. */
    public Outcome.Complete envelope() {
        return claimed.envelope();
    }
}
