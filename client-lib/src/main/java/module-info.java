/** Reliable broadcast over IP multicast for MPI-style Java programs. */
module org.madcast.client {
    requires static org.jspecify;
    requires com.grack.nanojson;
    requires org.madcast.madcap;
    requires org.madcast.nativecalls;

    exports org.madcast.client;
    exports org.madcast.client.file;
    exports org.madcast.client.topology;
}
