package org.madcast.agent.service;

import com.grack.nanojson.JsonObject;

/** Nodes as text. */
final class NodeText {

    private NodeText() {}

    /** What the node's agent says of itself. */
    static String of(JsonObject node, String field) {
        return Listing.text(node.getObject("heartbeat", new JsonObject()), field);
    }

    /** Whether it is there. */
    static String state(JsonObject node) {
        if (node.getObject("heartbeat", new JsonObject()).getBoolean("leaving")) {
            return "left";
        }
        return node.getBoolean("silent") ? "silent" : "alive";
    }
}
