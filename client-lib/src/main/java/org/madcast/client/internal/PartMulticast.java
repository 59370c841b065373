package org.madcast.client.internal;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.CommunicatorInfo;
import org.madcast.client.GroupSource;
import org.madcast.client.MadcastException;
import org.madcast.client.lease.ParentRendezvous;

/**
 * How the ranks of a communicator that has none take a multicast group, within a broadcast that all
 * of them have called. They agree by messages twice: first whether each of them has a place for
 * another group, and where they meet; then whether each has joined and multicast works. When one of
 * them says no, none has a group.
 */
final class PartMulticast {

    private static final System.Logger LOG = System.getLogger(PartMulticast.class.getName());

    /** All ranks are there already: a rank that has not come to the meeting then, will not come. */
    private static final Duration LONGEST_MEETING = Duration.ofSeconds(10);

    private static final long GROUP_CONTEXT = -2;

    private PartMulticast() {}

    /**
     * Joins.
     *
     * @param info the communicator as it is without a group
     * @param bytes of the broadcast that is called, with its root, for messages about mismatches
     * @return null when messages are to serve
     * @throws MadcastException when the ranks do not call the same, or one is lost
     */
    static @Nullable EngineCommunicator join(
            PartCommunicator part, CommunicatorInfo info, long bytes, int root) {
        World world = part.group().world();
        boolean free = world.takeEngine();
        EngineCommunicator joined = null;
        boolean works = false;
        try {
            boolean leased = part.rank() != 0 || world.info().groupSource() == GroupSource.LEASED;
            byte[] least = {flag(free), flag(leased)};
            part.agree(least, bytes, root);
            if (least[0] == 0) {
                return null;
            }
            joined = tryToJoin(part, info, least[1] != 0);
            least = new byte[] {flag(joined != null && joined.multicastWorks())};
            part.agree(least, bytes, root);
            works = least[0] != 0;
            return works ? joined : null;
        } finally {
            if (!works && joined != null) {
                leave(joined, world);
            } else if (!works && free) {
                world.giveEngine();
            }
        }
    }

    private static byte flag(boolean value) {
        return (byte) (value ? 1 : 0);
    }

    private static @Nullable EngineCommunicator tryToJoin(
            PartCommunicator part, CommunicatorInfo info, boolean atService) {
        CommunicatorConfig config = config(part, info);
        MessageGroup messages = part.group().forEngine(part.group().contextOf(GROUP_CONTEXT));
        try {
            return atService
                    ? CommunicatorFactory.join(config, messages)
                    : CommunicatorFactory.join(config, messages, new ParentRendezvous(part));
        } catch (RuntimeException failed) {
            // Whatever it is: the other ranks wait to hear that this one has no group.
            messages.close();
            LOG.log(
                    Level.INFO,
                    "rank {0} of {1}: broadcasts go by messages: {2}",
                    part.rank(),
                    info.name(),
                    failed);
            return null;
        }
    }

    private static CommunicatorConfig config(PartCommunicator part, CommunicatorInfo info) {
        CommunicatorConfig world = part.group().world().config();
        return CommunicatorConfig.builder(world.jobId(), part.rank(), part.size())
                .name(info.name())
                .serviceUri(world.serviceUri())
                .serviceToken(world.serviceToken())
                .ownerSecret(world.ownerSecret())
                .rootAddress(world.rootAddress())
                .madcap(world.madcap())
                .networkInterface(info.local().interfaceName())
                .key(world.key())
                .joinTimeout(Collections.min(List.of(world.joinTimeout(), LONGEST_MEETING)))
                .parameters(world.parameters())
                .build();
    }

    /** Closes what was joined. */
    static void leave(EngineCommunicator joined, World world) {
        try {
            joined.close();
        } finally {
            world.giveEngine();
        }
    }
}
