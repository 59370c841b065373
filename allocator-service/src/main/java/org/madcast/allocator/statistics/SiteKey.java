package org.madcast.allocator.statistics;

/**
 * The key by which broadcasts are counted apart.
 *
 * @param sizeClass the class of their sizes
 * @param label the program's own word for them, empty when it has none
 * @param algorithm how they were done
 */
public record SiteKey(String sizeClass, String label, String algorithm)
        implements Comparable<SiteKey> {

    /** Where everything is counted that has no room under a name of its own. */
    static final SiteKey OTHER = new SiteKey("other", "", "other");

    /** The same without the program's own word. */
    SiteKey nameless() {
        return new SiteKey(sizeClass, "", algorithm);
    }

    /** The site apart from the algorithm: what the root's delay is tuned for. */
    public String site() {
        return label.isEmpty() ? sizeClass : sizeClass + " " + label;
    }

    @Override
    public int compareTo(SiteKey other) {
        int order = site().compareTo(other.site());
        return order != 0 ? order : algorithm.compareTo(other.algorithm);
    }
}
