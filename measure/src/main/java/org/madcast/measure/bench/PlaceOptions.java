package org.madcast.measure.bench;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.Arguments;
import org.madcast.agent.process.HostFileOptions;
import org.madcast.agent.process.SshHosts;
import org.madcast.agent.push.NodeList;
import org.madcast.agent.service.ServiceAccess;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The real hosts on which to measure. */
final class PlaceOptions {

    @Mixin private HostFileOptions hostFile = new HostFileOptions();

    @Option(
            names = "--nodes",
            paramLabel = "NODES",
            description =
                    "Start the ranks over ssh on these nodes, such as 'node[01-16]', or on those whose"
                            + " agents the service knows: @all, '@rack1-*'.")
    private @Nullable String nodes;

    @Mixin private ServiceAccess service = new ServiceAccess();

    /** The hosts; empty for a lab. */
    Optional<SshHosts> hosts(CommandSpec spec) throws InterruptedException {
        Optional<SshHosts> listed = hostFile.hosts();
        if (nodes == null) {
            return listed;
        }
        if (listed.isPresent()) {
            throw Arguments.wrong(spec, "--hostfile and --nodes exclude each other");
        }
        try {
            List<String> names =
                    NodeList.parse(nodes).all(service).stream()
                            .map(node -> node.address().getHostString())
                            .toList();
            return Optional.of(hostFile.of(names));
        } catch (IllegalArgumentException e) {
            throw Arguments.wrong(spec, String.valueOf(e.getMessage()));
        }
    }
}
