package org.madcast.mpi.datatype;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.mpi.datatype.TypeMap.Placed;

/** Types of types, compared with lists of all their basic elements. */
final class TypeMapTest {

    private static final int[] SIZES = {1, 2, 4, 8};

    /** A basic element: the standard's type map, written out. */
    private record Element(long place, int bytes) {}

    /** A type, and what the standard says that it is. */
    private record Model(TypeMap type, List<Element> elements, long lb, long extent) {

        long end() {
            return elements.stream().mapToLong(it -> it.place + it.bytes).max().orElse(0);
        }

        long start() {
            return elements.stream().mapToLong(Element::place).min().orElse(0);
        }
    }

    private static Model basic(Random random) {
        int bytes = SIZES[random.nextInt(SIZES.length)];
        TypeMap type = TypeMap.basic(bytes, bytes);
        return new Model(type, List.of(new Element(0, bytes)), 0, bytes);
    }

    /** Where the copies of the old type are. */
    private static Model of(TypeMap made, List<Model> olds, List<Long> places) {
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < olds.size(); i++) {
            for (Element each : olds.get(i).elements) {
                elements.add(new Element(places.get(i) + each.place, each.bytes));
            }
        }
        return new Model(made, elements, made.lb(), made.extent());
    }

    private static Model vector(Random random, Model old) {
        int count = 1 + random.nextInt(4);
        int length = 1 + random.nextInt(3);
        long stride = (random.nextInt(9) - 4) * old.extent + (random.nextBoolean() ? 0 : 8);
        List<Model> olds = new ArrayList<>();
        List<Long> places = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < length; j++) {
                olds.add(old);
                places.add(i * stride + j * old.extent);
            }
        }
        return of(old.type.strided(count, length, stride), olds, places);
    }

    private static Model struct(Random random, Model first, Model second) {
        List<Placed> placed = new ArrayList<>();
        List<Model> olds = new ArrayList<>();
        List<Long> places = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Model old = random.nextBoolean() ? first : second;
            int copies = random.nextInt(3);
            long at = random.nextInt(200) - 100L;
            placed.add(new Placed(old.type, copies, at));
            for (int j = 0; j < copies; j++) {
                olds.add(old);
                places.add(at + j * old.extent);
            }
        }
        return of(TypeMap.of(placed), olds, places);
    }

    private static Model resized(Random random, Model old) {
        long extent = old.extent + random.nextInt(16);
        long lb = random.nextInt(9) - 4L;
        return new Model(old.type.resized(lb, extent), old.elements, lb, extent);
    }

    private static Model derived(Random random, int depth) {
        Model model = basic(random);
        for (int i = 0; i < depth; i++) {
            Model old = model;
            model =
                    switch (random.nextInt(3)) {
                        case 0 -> vector(random, old);
                        case 1 -> struct(random, old, basic(random));
                        default -> resized(random, old);
                    };
        }
        return model;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void areWhatTheStandardSays(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 400; round++) {
            Model model = derived(random, random.nextInt(4));
            String which = "seed %d, round %d: %s".formatted(seed, round, model);
            TypeMap type = model.type;
            assertThat(type.size())
                    .as(which)
                    .isEqualTo(model.elements.stream().mapToLong(Element::bytes).sum());
            assertThat(type.elements().count()).as(which).isEqualTo(model.elements.size());
            assertThat(type.lb()).as(which).isEqualTo(model.lb);
            assertThat(type.extent()).as(which).isEqualTo(model.extent);
            if (!model.elements.isEmpty()) {
                assertThat(type.trueLb()).as(which).isEqualTo(model.start());
                assertThat(type.trueUb()).as(which).isEqualTo(model.end());
            }
            packsAndUnpacks(which, model, random);
            countsElements(which, model);
        }
    }

    private static void packsAndUnpacks(String which, Model model, Random random) {
        int count = 1 + random.nextInt(3);
        long reach = Math.max(0, count - 1) * Math.abs(model.extent);
        long before = reach - Math.min(0, model.start());
        byte[] buffer = new byte[(int) (before + reach + Math.max(0, model.end()) + 8)];
        random.nextBytes(buffer);
        int bytes = (int) model.type.size() * count;
        byte[] expected = new byte[bytes];
        int at = 0;
        for (int i = 0; i < count; i++) {
            for (Element each : model.elements) {
                for (int k = 0; k < each.bytes; k++) {
                    expected[at++] = buffer[(int) (before + i * model.extent + each.place + k)];
                }
            }
        }
        byte[] packed = new byte[bytes];
        MemorySegment memory = MemorySegment.ofArray(buffer);
        Packer.pack(model.type, memory, before, count, MemorySegment.ofArray(packed));
        assertThat(packed).as(which).isEqualTo(expected);
        byte[] other = new byte[buffer.length];
        byte[] touched = new byte[buffer.length];
        MemorySegment there = MemorySegment.ofArray(other);
        Packer.unpack(model.type, MemorySegment.ofArray(packed), there, before, count);
        for (int i = 0; i < count; i++) {
            for (Element each : model.elements) {
                for (int k = 0; k < each.bytes; k++) {
                    int place = (int) (before + i * model.extent + each.place + k);
                    touched[place] = buffer[place];
                }
            }
        }
        assertThat(other).as(which).isEqualTo(touched);
    }

    /** Of a message that ends anywhere in the second element. */
    private static void countsElements(String which, Model model) {
        if (model.elements.isEmpty()) {
            return;
        }
        long ends = model.type.size();
        long count = model.elements.size();
        for (Element each : model.elements) {
            assertThat(model.type.elements().within(ends)).as(which).isEqualTo(count);
            if (each.bytes > 1) {
                assertThat(model.type.elements().within(ends + 1)).as(which).isEqualTo(-1);
            }
            ends += each.bytes;
            count++;
        }
    }
}
