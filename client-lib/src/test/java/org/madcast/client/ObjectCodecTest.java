package org.madcast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Objects as messages: what comes through, and what the filter refuses. */
@SuppressWarnings({"JdkObsolete", "JavaUtilDate", "IdentityHashMapUsage"}) // all of the JDK's
final class ObjectCodecTest {

    private static final ObjectCodec CODEC = new ObjectCodec(null);

    private record Point(int x, List<String> names) implements Serializable {}

    private enum Colour {
        RED
    }

    private static final class Node implements Serializable {
        private static final long serialVersionUID = 1L;
        private final String name = "node";
        private @Nullable Node next;
    }

    static Stream<Collection<Integer>> collections() {
        List<Integer> some = List.of(3, 1, 2);
        return Stream.of(
                new ArrayList<>(some),
                new LinkedList<>(some),
                new Vector<>(some),
                new CopyOnWriteArrayList<>(some),
                Arrays.asList(3, 1, 2),
                some,
                List.of(),
                Collections.emptyList(),
                Collections.singletonList(3),
                Collections.nCopies(1000, 3),
                Collections.unmodifiableList(new ArrayList<>(some)),
                Collections.synchronizedList(new ArrayList<>(some)),
                Collections.checkedList(new ArrayList<>(some), Integer.class),
                new HashSet<>(some),
                new LinkedHashSet<>(some),
                new TreeSet<>(some),
                new TreeSet<>(Comparator.<Integer>reverseOrder()),
                new ConcurrentSkipListSet<>(some),
                new CopyOnWriteArraySet<>(some),
                ConcurrentHashMap.newKeySet(),
                java.util.Set.of(1, 2, 3),
                Collections.unmodifiableSet(new HashSet<>(some)),
                Collections.newSetFromMap(new HashMap<>()));
    }

    static Stream<Collection<Integer>> queues() {
        List<Integer> some = List.of(3, 1, 2);
        Stack<Integer> stack = new Stack<>();
        stack.addAll(some);
        return Stream.of(
                stack,
                new ArrayDeque<>(some),
                new PriorityQueue<>(some),
                new ArrayBlockingQueue<>(5, true, some),
                new LinkedBlockingQueue<>(some),
                new LinkedBlockingDeque<>(some),
                new LinkedTransferQueue<>(some),
                new PriorityBlockingQueue<>(some),
                new ConcurrentLinkedQueue<>(some),
                new ConcurrentLinkedDeque<>(some));
    }

    static Stream<Map<?, ?>> maps() {
        Map<String, Integer> some = Map.of("a", 1, "b", 2);
        Properties properties = new Properties();
        properties.setProperty("key", "value");
        return Stream.of(
                some,
                Map.of(),
                Map.of("a", 1),
                new HashMap<>(some),
                new HashMap<>(1 << 16),
                new LinkedHashMap<>(some),
                new TreeMap<>(some),
                new Hashtable<>(some),
                properties,
                new EnumMap<>(Map.of(Colour.RED, 1)),
                new ConcurrentHashMap<>(some),
                new ConcurrentSkipListMap<>(some),
                Collections.unmodifiableMap(new HashMap<>(some)),
                Collections.synchronizedMap(new HashMap<>(some)),
                Collections.singletonMap("a", 1),
                Collections.emptyMap());
    }

    static Stream<Object> values() {
        return Stream.of(
                (byte) 1,
                'c',
                (short) 2,
                3,
                4L,
                5f,
                6d,
                true,
                "text",
                BigInteger.TEN,
                new BigDecimal("1.50"),
                new Point(1, List.of("one")),
                Colour.RED,
                TimeUnit.DAYS,
                UUID.randomUUID(),
                Locale.GERMANY,
                LocalDate.of(2026, 2, 3),
                ZonedDateTime.parse("2026-02-03T04:05:06+01:00[Europe/Berlin]"),
                Duration.ofSeconds(3),
                new Date(5),
                new GregorianCalendar(2026, 1, 2),
                BitSet.valueOf(new long[] {5}),
                EnumSet.of(Colour.RED),
                URI.create("http://localhost/"),
                String.class);
    }

    private static Object through(Object value) {
        return CODEC.read(ObjectCodec.write(new Object[] {value}))[0];
    }

    @ParameterizedTest
    @MethodSource({"collections", "maps", "values"})
    void comesThrough(Object value) {
        Object got = through(value);
        assertThat(got).isEqualTo(value).hasSameClassAs(value);
    }

    @ParameterizedTest
    @MethodSource("queues")
    void queuesComeThrough(Collection<Integer> value) {
        Object got = through(value);
        assertThat(got).hasSameClassAs(value);
        assertThat(new ArrayList<>((Collection<?>) got)).isEqualTo(new ArrayList<>(value));
    }

    @Test
    void arraysNullsAndSharedObjectsComeThrough() {
        int[][] rows = {{1, 2}, {}, null};
        Node node = new Node();
        node.next = node;
        IdentityHashMap<String, Integer> identities = new IdentityHashMap<>(Map.of("a", 1));
        Object[] all = {null, rows, node, node, identities, new AtomicInteger(7)};
        Object[] got = CODEC.read(ObjectCodec.write(all));
        assertThat(got[0]).isNull();
        assertThat((int[][]) got[1]).isDeepEqualTo(rows);
        assertThat(got[2]).isSameAs(got[3]);
        assertThat(((Node) got[2]).next).isSameAs(got[2]);
        assertThat(((Node) got[2]).name).isEqualTo("node");
        assertThat((Map<?, ?>) got[4]).hasSize(1);
        assertThat(got[5].toString()).isEqualTo("7");
        assertThat(CODEC.read(ObjectCodec.write(new Object[0]))).isEmpty();
        IllegalStateException failure = new IllegalStateException("because");
        assertThat((Exception) through(failure)).hasMessage("because");
    }

    /** A function that can be sent, in a class that says so. */
    private interface Task extends Supplier<String>, Serializable {}

    @Test
    void refusesWhatRunsCodeOrOpensConnections() throws IOException {
        Task lambda = () -> "run";
        assertThatThrownBy(() -> through(lambda))
                .isInstanceOf(ObjectException.class)
                .hasMessageContaining("java.lang.invoke.SerializedLambda")
                .hasMessageContaining("jdk.serialFilter");
        assertThatThrownBy(() -> through(URI.create("http://localhost/").toURL()))
                .hasMessageContaining("java.net.URL");
        assertThatThrownBy(() -> through(new javax.swing.event.EventListenerList()))
                .hasMessageContaining("javax.swing.event.EventListenerList");
        Object proxy =
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {Comparable.class},
                        (java.lang.reflect.InvocationHandler & Serializable) (_, _, _) -> 0);
        assertThatThrownBy(() -> through(proxy))
                .isInstanceOf(ObjectException.class)
                .hasMessageContaining("proxy");
    }

    @Test
    void refusesWhatIsLargerThanItsMessage() throws IOException {
        byte[] message = ObjectCodec.write(new Object[] {new int[100]});
        // The array's length is the last int before its elements.
        int at = message.length - 400 - 4;
        message[at] = 0x40;
        assertThatThrownBy(() -> CODEC.read(message))
                .isInstanceOf(ObjectException.class)
                .hasMessageContaining("1073741924 elements");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeInt(1 << 30);
        }
        assertThatThrownBy(() -> CODEC.read(bytes.toByteArray()))
                .isInstanceOf(ObjectException.class);
        assertThatThrownBy(() -> CODEC.read(new byte[] {1, 2, 3}))
                .isInstanceOf(ObjectException.class);
    }

    @Test
    void deepListsOfTheJdkComeThroughAndOverdeepOnesAreRefused() {
        assertThat((List<?>) through(new LinkedList<>(Collections.nCopies(100_000, 1))))
                .hasSize(100_000);
        Node first = new Node();
        Node last = first;
        for (int i = 0; i < 1_000_000; i++) {
            last.next = new Node();
            last = last.next;
        }
        assertThatThrownBy(() -> through(first))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nested");
    }

    @Test
    void saysWhatIsNotSerialisable() {
        assertThatThrownBy(() -> ObjectCodec.write(new Object[] {new Object()}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.lang.Object")
                .hasMessageContaining("Serializable");
    }

    @Test
    void theGivenFilterDecidesFirst() throws IOException {
        byte[] url = ObjectCodec.write(URI.create("http://localhost/").toURL());
        byte[] list = ObjectCodec.write(new ArrayList<>(List.of("a")));
        ObjectCodec allowing =
                new ObjectCodec(ObjectInputFilter.Config.createFilter("java.net.URL"));
        assertThat(allowing.read(url)[0]).hasToString("http://localhost/");
        assertThat(allowing.read(list)[0]).isEqualTo(List.of("a"));
        ObjectCodec refusing =
                new ObjectCodec(ObjectInputFilter.Config.createFilter("!java.util.ArrayList"));
        assertThatThrownBy(() -> refusing.read(list))
                .isInstanceOf(ObjectException.class)
                .hasMessageContaining("java.util.ArrayList is refused by the object filter");
    }
}
