package org.madcast.client;

import java.io.ObjectInputFilter;
import java.lang.reflect.Proxy;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides what may be deserialised from one message. It admits the JDK's values and collections and
 * the classes of the program's own class path. It refuses the JDK's other classes, some of which
 * run code or open connections when they are read. Before it the user's filter decides, and then
 * {@code jdk.serialFilter}.
 */
final class ObjectFilter implements ObjectInputFilter {

    /** Nested deeper, reading would exhaust the stack. */
    private static final long MOST_DEPTH = 5_000;

    /** Hash tables are longer than what they hold, but not by more than this. */
    private static final long ARRAY_PER_BYTE = 16;

    private static final long SMALL_ARRAY = 1_024;

    private static final Set<String> PACKAGES =
            Set.of(
                    "java.lang",
                    "java.math",
                    "java.text",
                    "java.time",
                    "java.time.chrono",
                    "java.time.zone",
                    "java.util",
                    "java.util.concurrent",
                    "java.util.concurrent.atomic",
                    "java.util.concurrent.locks",
                    "java.util.regex",
                    "java.awt.geom");

    private static final Set<String> CLASSES =
            Set.of(
                    "java.io.File",
                    "java.io.IOException",
                    "java.io.Serializable",
                    "java.io.UncheckedIOException",
                    "java.awt.Color",
                    "java.awt.Dimension",
                    "java.awt.Point",
                    "java.awt.Rectangle",
                    "java.net.Inet4Address",
                    "java.net.Inet6Address",
                    "java.net.InetAddress",
                    "java.net.InetSocketAddress",
                    "java.net.URI",
                    "java.sql.Date",
                    "java.sql.Time",
                    "java.sql.Timestamp",
                    "sun.util.calendar.ZoneInfo");

    /** In the packages above, but no values. */
    private static final Set<String> REFUSED =
            Set.of(
                    "java.util.EventListenerProxy",
                    "java.util.ServiceConfigurationError",
                    "java.lang.ProcessHandleImpl");

    private final @Nullable ObjectInputFilter ofProcess =
            ObjectInputFilter.Config.getSerialFilter();
    private final @Nullable ObjectInputFilter ofUser;
    private final long messageBytes;
    private String refusal = "";

    ObjectFilter(@Nullable ObjectInputFilter ofUser, long messageBytes) {
        this.ofUser = ofUser;
        this.messageBytes = messageBytes;
    }

    /** Why the last refused class was refused. */
    String refusal() {
        return refusal;
    }

    @Override
    public Status checkInput(FilterInfo info) {
        Status decided = ask(ofUser, "the object filter", info);
        if (decided == Status.UNDECIDED) {
            decided = ask(ofProcess, "jdk.serialFilter", info);
        }
        if (decided != Status.UNDECIDED) {
            return decided;
        }
        String wrong = wrongSize(info);
        if (wrong == null) {
            wrong = wrongClass(info.serialClass());
        }
        return wrong == null ? Status.UNDECIDED : refuse(wrong);
    }

    private Status ask(@Nullable ObjectInputFilter filter, String called, FilterInfo info) {
        Status decided = filter == null ? Status.UNDECIDED : filter.checkInput(info);
        return decided == Status.REJECTED
                ? refuse(nameOf(info.serialClass()) + " is refused by " + called)
                : decided;
    }

    private Status refuse(String why) {
        refusal = why;
        return Status.REJECTED;
    }

    private static String nameOf(@Nullable Class<?> type) {
        return type == null ? "the message" : type.getTypeName();
    }

    private @Nullable String wrongSize(FilterInfo info) {
        if (info.depth() > MOST_DEPTH) {
            return "objects are nested deeper than " + MOST_DEPTH;
        }
        if (info.references() > messageBytes) {
            return "more objects than bytes";
        }
        if (info.arrayLength() > Math.max(SMALL_ARRAY, ARRAY_PER_BYTE * messageBytes)) {
            return "an array %s of %d elements in a message of %d bytes"
                    .formatted(nameOf(info.serialClass()), info.arrayLength(), messageBytes);
        }
        return null;
    }

    private static @Nullable String wrongClass(@Nullable Class<?> type) {
        if (type == null) {
            return null;
        }
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        if (Proxy.isProxyClass(element)) {
            return "a dynamic proxy of " + element.getInterfaces()[0].getName();
        }
        return element.isPrimitive() || !isOfJdk(element) || isValue(element)
                ? null
                : "class " + element.getName();
    }

    private static boolean isOfJdk(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null || loader.equals(ClassLoader.getPlatformClassLoader());
    }

    private static boolean isValue(Class<?> type) {
        String name = type.getName();
        return CLASSES.contains(name)
                || (PACKAGES.contains(type.getPackageName()) && !REFUSED.contains(name));
    }
}
