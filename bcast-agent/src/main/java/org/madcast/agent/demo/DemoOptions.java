package org.madcast.agent.demo;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.madcast.lab.LinkRate;

/**
 * What the demonstration shall do.
 *
 * @param file what to broadcast
 * @param ranks how many processes
 * @param rate what a link of the lab carries, empty for no limit
 * @param lossPercent what every host of the lab loses
 * @param keep whether the service goes on afterwards
 * @param port where the service listens
 * @param dataDirectory where the service keeps its data, null for a temporary directory
 */
record DemoOptions(
        Path file,
        int ranks,
        Optional<LinkRate> rate,
        double lossPercent,
        boolean keep,
        int port,
        @Nullable Path dataDirectory) {}
