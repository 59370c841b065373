/** A virtual cluster inside one machine: network namespaces behind a snooping bridge. */
module org.madcast.lab {
    requires static org.jspecify;
    requires org.madcast.nativecalls;

    exports org.madcast.lab;
}
