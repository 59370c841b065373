/** The native functions that Madcast calls, bound in one place. */
module org.madcast.nativecalls {
    requires static org.jspecify;

    exports org.madcast.nativecalls;
}
