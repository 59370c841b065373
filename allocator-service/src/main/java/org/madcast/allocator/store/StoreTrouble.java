package org.madcast.allocator.store;

/** What is wrong with the database. */
public enum StoreTrouble {
    /** It cannot be reached, is starting or ending, or is silent. */
    AWAY("The database does not answer"),
    /** It answers, but takes no changes: a standby, or one that was set to read only. */
    READ_ONLY("The database takes no changes"),
    /** Its disk is full, or broken. */
    FULL("The database has no room left"),
    /** It answers, but not soon enough, or all connections to it are in use. */
    BUSY("The database has too much to do");

    private final String words;

    StoreTrouble(String words) {
        this.words = words;
    }

    /** A sentence without its full stop. */
    public String words() {
        return words;
    }

    /** Whether nothing can be written until it is over. */
    public boolean stopsWriting() {
        return this != BUSY;
    }
}
