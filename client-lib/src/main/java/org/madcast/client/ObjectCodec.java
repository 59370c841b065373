package org.madcast.client;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.NotSerializableException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import org.jspecify.annotations.Nullable;

/**
 * Java objects as messages. A message is one serialisation stream: the number of objects, then the
 * objects, which may refer to each other. Immutable, for every thread.
 *
 * <p>Reading always has a filter, in three steps. The one given here decides first, if there is
 * one; then what {@code jdk.serialFilter} says; then a filter that admits the JDK's values,
 * collections and exceptions and the classes of the program's own class path. It refuses the JDK's
 * other classes, lambdas, dynamic proxies, arrays longer than their message can fill, and objects
 * nested deeper than 5,000.
 */
public final class ObjectCodec {

    private final @Nullable ObjectInputFilter first;

    /**
     * A codec.
     *
     * @param first decides first what may be read; null: nothing is decided before the others
     */
    public ObjectCodec(@Nullable ObjectInputFilter first) {
        this.first = first;
    }

    /**
     * The message of some objects.
     *
     * @throws IllegalArgumentException naming the class when one of them is not serialisable, or
     *     they are nested too deeply
     */
    public static byte[] write(@Nullable Object... objects) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeInt(objects.length);
            for (Object each : objects) {
                out.writeObject(each);
            }
        } catch (NotSerializableException wrong) {
            throw new IllegalArgumentException(
                    "class %s is not serialisable: let it implement java.io.Serializable"
                            .formatted(wrong.getMessage()),
                    wrong);
        } catch (IOException wrong) {
            throw new IllegalArgumentException("an object cannot be serialised: " + wrong, wrong);
        } catch (StackOverflowError tooDeep) {
            throw new IllegalArgumentException(
                    "objects are nested too deeply to serialise them", tooDeep);
        }
        return bytes.toByteArray();
    }

    /**
     * The objects of a message.
     *
     * @param message exactly the message; empty for one without objects
     * @throws ObjectException when a class is refused or missing, or the bytes are no message
     */
    public @Nullable Object[] read(byte[] message) {
        if (message.length == 0) {
            return new Object[0];
        }
        ObjectFilter filter = new ObjectFilter(first, message.length);
        try (Stream in = new Stream(message)) {
            in.setObjectInputFilter(filter);
            int count = in.readInt();
            if (count < 0 || count > message.length) {
                throw new IOException(count + " objects in " + message.length + " bytes");
            }
            @Nullable Object[] objects = new Object[count];
            for (int i = 0; i < count; i++) {
                objects[i] = in.readObject();
            }
            return objects;
        } catch (InvalidClassException refused) {
            String why = filter.refusal();
            throw new ObjectException(
                    why.isEmpty()
                            ? "a class of a received object is not the sender's: " + refused
                            : ("a received object was refused: %s (MADCAST_OBJECT_FILTER or"
                                            + " jdk.serialFilter can allow it)")
                                    .formatted(why),
                    refused);
        } catch (ClassNotFoundException missing) {
            throw new ObjectException(
                    "class %s of a received object is not on the class path"
                            .formatted(missing.getMessage()),
                    missing);
        } catch (IOException wrong) {
            throw new ObjectException("the received bytes are no message of objects", wrong);
        } catch (StackOverflowError tooDeep) {
            throw new ObjectException("received objects are nested too deeply", tooDeep);
        } catch (OutOfMemoryError tooLarge) {
            throw new ObjectException("received objects do not fit into memory", tooLarge);
        }
    }

    /** Of a message that is not one of a single object. */
    static ObjectException noObject(long bytes) {
        IOException wrong = new IOException(bytes + " bytes");
        return new ObjectException(
                "a message of %d bytes came, which is not one of one object".formatted(bytes),
                wrong);
    }

    /** Finds classes where the program does. */
    private static final class Stream extends ObjectInputStream {

        Stream(byte[] message) throws IOException {
            super(new ByteArrayInputStream(message));
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass described)
                throws IOException, ClassNotFoundException {
            ClassLoader program = Thread.currentThread().getContextClassLoader();
            if (program != null) {
                try {
                    return Class.forName(described.getName(), false, program);
                } catch (ClassNotFoundException notThere) {
                    return super.resolveClass(described);
                }
            }
            return super.resolveClass(described);
        }
    }
}
