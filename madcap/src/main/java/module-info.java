/**
 * RFC 2730 (MADCAP) and RFC 2907: messages, their codec, what a server admits and how a client
 * asks. Pure: no socket, no thread, no clock.
 */
module org.madcast.madcap {
    requires static org.jspecify;

    exports org.madcast.madcap;
    exports org.madcast.madcap.client;
    exports org.madcast.madcap.codec;
    exports org.madcast.madcap.server;
}
