package org.madcast.lab;

import java.util.List;
import java.util.Map;

/**
 * Rules for nft(8). Each function writes a whole script that replaces what the same function set
 * before. But for {@link #partition} only UDP is ever dropped, so that joins, address resolution
 * and TCP stay as they are.
 */
final class PacketFilter {
    /** What a share of 100 percent is, counted in the finest share that can be asked for. */
    private static final int WHOLE = 1_000_000;

    private PacketFilter() {}

    /** In a host: drops a share of what arrives. */
    static String arrivingLoss(double percent) {
        return replace("inet madcast_loss", percent > 0)
                + (percent > 0
                        ? chain("inet madcast_loss", "type filter hook input priority 0")
                                + rule("inet madcast_loss", "iifname eth0 " + lose(percent))
                        : "");
    }

    /**
     * In a host: of every {@code n} datagrams that arrive, drops a run; the first run begins behind
     * that many.
     */
    static String arrivingBursts(int every, int length, int behind) {
        String table = "inet madcast_bursts";
        String gone = replace(table, length > 0);
        if (length == 0) {
            return gone;
        }
        String run =
                "iifname eth0 meta l4proto udp numgen inc mod %d %d-%d drop"
                        .formatted(every, behind, behind + length - 1);
        return gone + chain(table, "type filter hook input priority 0") + rule(table, run);
    }

    /**
     * In the switch namespace: no frame from one of these senders leaves through one of the ports,
     * whatever it carries.
     *
     * @param forbidden hardware addresses of senders by port; empty ends it
     */
    static String partition(Map<String, List<String>> forbidden) {
        String table = "netdev madcast_partition";
        StringBuilder script = new StringBuilder(replace(table, !forbidden.isEmpty()));
        forbidden.forEach((port, senders) -> {
            String chain = table + " " + port;
            String hook = hook("egress", port);
            script.append("add chain %s { %s; policy accept; }\n".formatted(chain, hook));
            String all = String.join(", ", senders);
            script.append("add rule %s ether saddr { %s } drop\n".formatted(chain, all));
        });
        return script.toString();
    }

    /** In the switch namespace: drops a share of what comes in through a port. */
    static String portLoss(String port, double percent) {
        String table = "netdev madcast_loss_" + port;
        return replace(table, percent > 0)
                + (percent > 0
                        ? chain(table, hook("ingress", port)) + rule(table, lose(percent))
                        : "");
    }

    /** In the switch namespace: multicast datagrams pass a port in neither direction. */
    static String portBlock(String port, boolean blocked) {
        String table = "netdev madcast_block_" + port;
        return replace(table, blocked) + (blocked ? block(table, port) : "");
    }

    private static String block(String table, String port) {
        StringBuilder script = new StringBuilder();
        for (String direction : new String[] {"ingress", "egress"}) {
            String chain = table + " " + direction;
            script.append(
                    "add chain %s { %s; policy accept; }\n"
                            .formatted(chain, hook(direction, port)));
            script.append("add rule ").append(chain);
            script.append(" ip daddr 224.0.0.0/4 ip protocol udp drop\n");
            script.append("add rule ").append(chain);
            script.append(" ip6 daddr ff00::/8 meta l4proto udp drop\n");
        }
        return script.toString();
    }

    private static String hook(String direction, String port) {
        return "type filter hook %s device \"%s\" priority 0".formatted(direction, port);
    }

    private static String lose(double percent) {
        if (percent == 100) {
            return "meta l4proto udp drop"; // a share of the whole is not to be had
        }
        return "meta l4proto udp numgen random mod %d < %d drop"
                .formatted(WHOLE, Math.round(percent * WHOLE / 100));
    }

    /** To delete a table that may not exist, nft wants it added first. */
    private static String replace(String table, boolean again) {
        String gone = "add table %1$s\ndelete table %1$s\n".formatted(table);
        return again ? gone + "add table " + table + "\n" : gone;
    }

    private static String chain(String table, String hook) {
        return "add chain %s drops { %s; policy accept; }\n".formatted(table, hook);
    }

    private static String rule(String table, String rule) {
        return "add rule %s drops %s\n".formatted(table, rule);
    }
}
