package org.madcast.allocator.error;

/** For whom an answer is. */
public enum Audience {
    /** They have a browser, and get a page. */
    PEOPLE,
    /** They get a problem; so do the pages' own scripts. */
    PROGRAMS
}
