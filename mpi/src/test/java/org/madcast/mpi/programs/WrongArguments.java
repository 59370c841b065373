package org.madcast.mpi.programs;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import mpi.Comm;
import mpi.Count;
import mpi.Datatype;
import mpi.DoubleComplex;
import mpi.Errhandler;
import mpi.File;
import mpi.FloatComplex;
import mpi.Group;
import mpi.Indexed;
import mpi.Info;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Message;
import mpi.Op;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;
import mpi.Struct;
import mpi.Vector;
import mpi.Win;

/**
 * Every method of both APIs, with each of its arguments wrong once and with some wrong together: a
 * call may do its work or throw an {@link MPIException} that names its class, and nothing else. One
 * rank.
 */
public final class WrongArguments {

    /** They wait for others, end the job, leave something behind, or make errors fatal. */
    private static final Set<String> LEFT_OUT =
            Set.of(
                    "abort",
                    "Abort",
                    "Finalize",
                    "Init",
                    "InitThread",
                    "initThread",
                    "spawn",
                    "spawnMultiple",
                    "accept",
                    "connect",
                    "recv",
                    "Recv",
                    "probe",
                    "Probe",
                    "mProbe",
                    "sSend",
                    "Ssend",
                    "sendRecv",
                    "Sendrecv",
                    "sendRecvReplace",
                    "Sendrecv_replace",
                    "setErrhandler",
                    "Errhandler_set",
                    "Errorhandler_set",
                    "callErrhandler",
                    "lookupName",
                    "openPort",
                    "lock",
                    "lockAll",
                    "start",
                    "post",
                    "disconnect",
                    "waitFor",
                    "preallocate",
                    "setSize",
                    "publishName",
                    "detachBuffer",
                    "Buffer_detach",
                    "createIntercomm",
                    "Create_intercomm");

    /** They end an object that the other calls need. */
    private static final Set<String> ENDS = Set.of("free", "Free", "close");

    /** What only our own code or the JDK would say. */
    private static final Pattern INTERNAL =
            Pattern.compile("because |out of bounds|cannot be cast|Cannot |org\\.madcast|: null$");

    private static final int TOGETHER = 20;

    private static Datatype freedType;
    private static IntBuffer direct;
    private static Map<Class<?>, Object[]> values;

    private WrongArguments() {}

    /** Runs on one rank. */
    public static void main(String[] args) throws ReflectiveOperationException {
        String[] _ = MPI.Init(args);
        MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN);
        MPI.COMM_SELF.setErrhandler(MPI.ERRORS_RETURN);
        freedType = Datatype.createContiguous(2, MPI.INT);
        freedType.free();
        direct = MPI.newIntBuffer(8);
        values = values();
        for (Object each : objects(args[0])) {
            for (Method method : each.getClass().getMethods()) {
                if (isOfApi(method) && !(isAlive(each) && ENDS.contains(method.getName()))) {
                    call(method, each);
                }
            }
        }
        for (Class<?> made :
                List.of(
                        Datatype.class,
                        Group.class,
                        Info.class,
                        Op.class,
                        Count.class,
                        Win.class,
                        File.class,
                        Vector.class,
                        Indexed.class,
                        mpi.FileView.class)) {
            for (Constructor<?> constructor : made.getConstructors()) {
                call(constructor, null);
            }
        }
        for (Class<?> statics : List.of(MPI.class, Intercomm.class)) {
            for (Method method : statics.getMethods()) {
                if (Modifier.isStatic(method.getModifiers()) && isOfApi(method)) {
                    call(method, null);
                }
            }
        }
        Checks.end();
        Runtime.getRuntime().halt(0);
    }

    /** Views of buffers and the like declare no error of MPI: they throw what Java does. */
    private static boolean isOfApi(Method method) {
        return method.getDeclaringClass().getPackageName().equals("mpi")
                && List.of(method.getExceptionTypes()).contains(MPIException.class)
                && !LEFT_OUT.contains(method.getName());
    }

    private static boolean isAlive(Object object) throws ReflectiveOperationException {
        try {
            return !(boolean) object.getClass().getMethod("isNull").invoke(object);
        } catch (NoSuchMethodException _) {
            return !object.toString().equals("closed");
        }
    }

    private static Map<Class<?>, Object[]> values() {
        Group gone = MPI.COMM_WORLD.getGroup();
        gone.free();
        Intracomm left = MPI.COMM_WORLD.dup();
        left.free();
        Info given = new Info();
        Op freed = new Op((mpi.User_function) new Nothing(), true);
        freed.free();
        Datatype vector = Datatype.Vector(2, 1, 2, MPI.INT);
        Datatype open = Datatype.createContiguous(2, MPI.INT);
        ByteBuffer bytes = MPI.newByteBuffer(64);
        int most = Integer.MAX_VALUE;
        return Map.ofEntries(
                of(
                        Object.class,
                        new int[8],
                        null,
                        new int[0],
                        "text",
                        7,
                        new double[2],
                        new int[2][3],
                        direct,
                        IntBuffer.allocate(3),
                        direct.asReadOnlyBuffer(),
                        new boolean[3],
                        new Object[3],
                        new Object[] {Thread.currentThread()}),
                of(
                        Buffer.class,
                        direct,
                        null,
                        IntBuffer.allocate(3),
                        direct.asReadOnlyBuffer(),
                        MPI.newIntBuffer(0),
                        MPI.newDoubleBuffer(3),
                        bytes),
                of(int.class, 0, 1, -1, most, Integer.MIN_VALUE, MPI.UNDEFINED, MPI.ROOT, 99),
                of(long.class, 0L, 1L, -1L, Long.MAX_VALUE, Long.MIN_VALUE),
                of(
                        int[].class,
                        new int[] {0},
                        new int[] {1},
                        null,
                        new int[0],
                        new int[] {-1},
                        new int[] {most},
                        new int[] {1, 2},
                        new int[] {most, most}),
                of(
                        int[][].class,
                        new int[][] {{0, 0, 1}},
                        null,
                        new int[0][],
                        new int[][] {null},
                        new int[][] {{0}},
                        new int[][] {{0, 5, 1}},
                        new int[][] {{0, 0, 0}},
                        new int[][] {{0, most, 1}}),
                of(
                        Datatype.class,
                        MPI.INT,
                        null,
                        MPI.DOUBLE,
                        MPI.OBJECT,
                        freedType,
                        open,
                        vector,
                        MPI.DATATYPE_NULL,
                        MPI.NULL,
                        MPI.PACKED,
                        MPI.UB,
                        MPI.INT2,
                        MPI.DOUBLE_INT,
                        MPI.BOOLEAN),
                of(
                        Datatype[].class,
                        new Datatype[] {MPI.INT},
                        null,
                        new Datatype[0],
                        new Datatype[] {null},
                        new Datatype[] {freedType},
                        new Datatype[] {MPI.INT, MPI.DOUBLE},
                        new Datatype[] {MPI.UB}),
                of(Op.class, MPI.SUM, null, freed, MPI.MAXLOC, MPI.REPLACE, MPI.BAND),
                of(Comm.class, MPI.COMM_WORLD, null, left),
                of(Group.class, MPI.COMM_WORLD.getGroup(), null, gone, MPI.GROUP_EMPTY),
                of(Info.class, MPI.INFO_NULL, null, given),
                of(String.class, "/no/such/directory/x", null, "", "native", "a\0b"),
                of(boolean.class, true, false),
                of(boolean[].class, new boolean[] {true}, null, new boolean[0]),
                of(byte[].class, new byte[64], null, new byte[3]),
                of(Request[].class, new Request[] {MPI.REQUEST_NULL}, null, new Request[1]),
                of(Prequest[].class, new Prequest[0], null, new Prequest[1]),
                of(Count.class, new Count(3), null, new Count(-1), new Count(Long.MAX_VALUE)),
                of(Errhandler.class, MPI.ERRORS_RETURN, null),
                of(ByteBuffer.class, bytes, null, ByteBuffer.allocate(3)),
                of(DoubleBuffer.class, MPI.newDoubleBuffer(2), null),
                of(FloatBuffer.class, MPI.newFloatBuffer(2), null),
                of(mpjbuf.Buffer.class, new mpjbuf.Buffer(64), null));
    }

    private static Map.Entry<Class<?>, Object[]> of(Class<?> type, Object... values) {
        return Map.entry(type, values);
    }

    /** One of each class, and of some one more that is null or was freed. */
    private static List<Object> objects(String directory) {
        Intracomm world = MPI.COMM_WORLD;
        Intracomm left = world.dup();
        left.free();
        Group gone = world.getGroup();
        gone.free();
        Win locked = new Win(MPI.newIntBuffer(16), 16, 1, MPI.INFO_NULL, world);
        locked.setErrhandler(MPI.ERRORS_RETURN);
        locked.lockAll(0);
        Win freed = new Win(MPI.newIntBuffer(16), 16, 1, MPI.INFO_NULL, world);
        freed.free();
        int mode = MPI.MODE_CREATE | MPI.MODE_RDWR | MPI.MODE_DELETE_ON_CLOSE;
        File file = new File(world, directory + "/file", mode);
        file.setErrhandler(MPI.ERRORS_RETURN);
        Struct pair = MPI.int2;
        return List.of(
                world,
                left,
                world.createCart(new int[] {1}, new boolean[] {true}, false),
                world.Create_cart(new int[] {1}, new boolean[] {true}, false),
                world.createGraph(new int[] {1}, new int[] {0}, false),
                world.Create_graph(new int[] {1}, new int[] {0}, false),
                world.createDistGraphAdjacent(new int[1], new int[1], MPI.INFO_NULL, false),
                Datatype.Vector(2, 1, 2, MPI.INT),
                freedType,
                MPI.INT,
                world.getGroup(),
                gone,
                MPI.GROUP_EMPTY,
                new Info(),
                MPI.INFO_NULL,
                locked,
                freed,
                file,
                new Message(),
                MPI.SUM,
                MPI.REQUEST_NULL,
                world.sendInit(direct, 1, MPI.INT, MPI.PROC_NULL, 0),
                new Status(),
                pair,
                DoubleComplex.get(new double[4]),
                FloatComplex.get(new float[4]));
    }

    private static Object[] valuesOf(Class<?> type) {
        for (Map.Entry<Class<?>, Object[]> each : values.entrySet()) {
            boolean fits = type != Object.class && type.isAssignableFrom(each.getKey());
            if (type == each.getKey() || fits) {
                return each.getValue();
            }
        }
        return new Object[] {type.isArray() ? Array.newInstance(type.componentType(), 2) : null};
    }

    private static void call(Executable method, Object on) throws ReflectiveOperationException {
        method.setAccessible(true); // a static method of a class that is not public
        Class<?>[] types = method.getParameterTypes();
        Object[] usual = Arrays.stream(types).map(type -> valuesOf(type)[0]).toArray();
        List<Object[]> all = new ArrayList<>(List.<Object[]>of(usual));
        for (int i = 0; i < types.length; i++) {
            for (Object value : valuesOf(types[i])) {
                Object[] wrong = usual.clone();
                wrong[i] = value;
                all.add(wrong);
            }
        }
        java.util.Random random = new java.util.Random(method.getName().hashCode());
        for (int k = 0; k < TOGETHER && types.length > 1; k++) {
            Object[] wrong = usual.clone();
            for (int i = 0; i < types.length; i++) {
                Object[] values = valuesOf(types[i]);
                wrong[i] = random.nextBoolean() ? wrong[i] : values[random.nextInt(values.length)];
            }
            all.add(wrong);
        }
        for (Object[] arguments : all) {
            if (!isLarge(method, arguments)) {
                call(method, on, arguments);
            }
        }
    }

    /** Whether it would only ask for much memory. */
    private static boolean isLarge(Executable method, Object[] arguments) {
        return method.getName().startsWith("new")
                && Arrays.stream(arguments).anyMatch(it -> it instanceof Integer i && i > 1000);
    }

    private static void call(Executable method, Object on, Object[] arguments)
            throws ReflectiveOperationException {
        String what =
                method.getDeclaringClass().getSimpleName()
                        + "."
                        + method.getName()
                        + Arrays.deepToString(arguments);
        try {
            Object _ =
                    method instanceof Constructor<?> constructor
                            ? constructor.newInstance(arguments)
                            : ((Method) method).invoke(on, arguments);
        } catch (InvocationTargetException thrown) {
            String message = String.valueOf(thrown.getCause().getMessage());
            Checks.that(
                    what + " threw " + thrown.getCause(),
                    thrown.getCause() instanceof MPIException
                            && message.startsWith("MPI_ERR_")
                            && !INTERNAL.matcher(message).find());
        } catch (IllegalArgumentException wrong) {
            Checks.that(what + ": " + wrong, Modifier.isAbstract(method.getModifiers()));
        }
    }

    /** An operation that leaves everything as it is. */
    private static final class Nothing extends mpi.User_function {
        @Override
        public void Call(
                Object invec,
                int inoffset,
                Object inoutvec,
                int inoutoffset,
                int count,
                Datatype datatype) {
            // nothing
        }
    }
}
