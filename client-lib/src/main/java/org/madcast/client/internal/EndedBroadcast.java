package org.madcast.client.internal;

import org.madcast.client.Algorithm;
import org.madcast.client.report.SiteReporter;

/**
 * A broadcast that ended well, as it is reported.
 *
 * @param afterDataNs how long after its data the call was made
 * @param lost whether parts of it were asked for again
 */
record EndedBroadcast(
        Algorithm algorithm, long bytes, int root, long startNs, long afterDataNs, boolean lost) {

    /**
     * Reports it.
     *
     * @param rootWaitNs how long this rank waited as the root; negative if another one was it
     */
    void reportTo(SiteReporter site, long rootWaitNs) {
        long tookNs = System.nanoTime() - startNs;
        site.recordBroadcast(algorithm.label(), bytes, tookNs);
        if (rootWaitNs >= 0) {
            site.recordRootDelay(algorithm.label(), bytes, rootWaitNs / 1000);
        } else {
            site.recordArrival(algorithm.label(), bytes, afterDataNs, lost ? tookNs : 0);
        }
    }
}
