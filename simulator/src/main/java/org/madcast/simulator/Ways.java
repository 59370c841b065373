package org.madcast.simulator;

import java.util.List;
import org.madcast.client.collective.Disseminations;
import org.madcast.client.protocol.Dissemination;
import org.madcast.client.topology.RankOrder;

/** Along which ranks each algorithm's data goes. Immutable. */
public final class Ways {

    private final List<Dissemination> byCode;

    private Ways(List<Dissemination> byCode) {
        this.byCode = byCode;
    }

    /** As programs have them, in the order of ranks. */
    public static Ways byRank() {
        return new Ways(Disseminations.byCode());
    }

    /** As programs have them that know the cables. */
    public static Ways byCables(RankOrder order) {
        return new Ways(Disseminations.byCode(order));
    }

    /** Whole messages from rank to rank, as in the papers' comparisons. */
    public static Ways unsegmented() {
        return new Ways(Disseminations.unsegmented());
    }

    List<Dissemination> byCode() {
        return byCode;
    }
}
