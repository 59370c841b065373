package org.madcast.agent.bench;

import java.util.List;
import java.util.Optional;
import org.madcast.client.Algorithm;
import org.madcast.lab.LinkRate;

/**
 * What is measured.
 *
 * @param rate what a link carries, empty for no limit
 * @param launches how often all JVMs are started anew
 * @param repetitions how often each cell is timed in a launch
 * @param warmUps how often each cell runs untimed first
 * @param floor whether the bare network is measured too
 * @param seed decides the order
 */
record BenchOptions(
        int hosts,
        Optional<LinkRate> rate,
        double lossPercent,
        List<Integer> sizesBytes,
        List<Algorithm> algorithms,
        int launches,
        int repetitions,
        int warmUps,
        boolean floor,
        long seed) {

    int largestBytes() {
        return sizesBytes.stream().mapToInt(Integer::intValue).max().orElse(0);
    }
}
