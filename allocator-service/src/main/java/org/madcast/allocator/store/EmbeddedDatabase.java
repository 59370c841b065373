package org.madcast.allocator.store;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PostgreSQL server of the service's own, on loopback, with files that survive restarts.
 *
 * <p>The data directory holds {@code lock} (held while a service uses it), {@code password}
 * (readable by the owner only), {@code postgres} (the database) and {@code postgres.log}. A server
 * that a killed service left behind is found by its {@code postmaster.pid} and ended before a new
 * one starts: what was acknowledged is on disk, since {@code fsync} and {@code synchronous_commit}
 * are on. A server that dies while the service runs is started again, on the same port; why it does
 * not start is logged at once and then every minute.
 *
 * <p>Opened by one thread, closed by any.
 */
public final class EmbeddedDatabase implements AutoCloseable {

    /** The database's only user. */
    public static final String USER = "madcast";

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedDatabase.class);
    private static final int PASSWORD_BYTES = 24;
    private static final List<String> SETTINGS =
            List.of(
                    "listen_addresses=127.0.0.1",
                    "unix_socket_directories=",
                    "fsync=on",
                    "synchronous_commit=on",
                    "full_page_writes=on",
                    "max_connections=60",
                    "shared_buffers=128MB",
                    "wal_buffers=16MB",
                    "max_wal_size=2GB",
                    "min_wal_size=512MB",
                    // A new log file filled with zeros is 16 MB to write while all commits wait:
                    // a commit a second took 50 ms under load. Without, each file grows as it is
                    // written, and is as durable.
                    "wal_init_zero=off",
                    // Pages that were written out of the shared buffers go to the disk soon, not
                    // hundreds of MB at once half a minute later, with all commits behind them.
                    "backend_flush_after=256kB",
                    "max_parallel_workers_per_gather=0",
                    "jit=off",
                    "timezone=UTC",
                    "log_checkpoints=off");

    private static final Duration WATCH_INTERVAL = Duration.ofMillis(500);
    private static final long TELL_EVERY_NS = Duration.ofMinutes(1).toNanos();

    private final Postmaster postmaster;
    private final FileChannel lockFile;
    private final String password;
    private final int port;
    private final Duration startTimeout;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread watch;

    /** When to tell again why the server does not start. The watch's. */
    private OptionalLong tellNs = OptionalLong.empty();

    private EmbeddedDatabase(
            Postmaster postmaster,
            FileChannel lockFile,
            String password,
            int port,
            Duration startTimeout) {
        this.postmaster = postmaster;
        this.lockFile = lockFile;
        this.password = password;
        this.port = port;
        this.startTimeout = startTimeout;
        this.watch = Thread.ofPlatform().name("database-watch").daemon().unstarted(this::watch);
    }

    /**
     * Opens the database of a data directory, making it when it is not there yet.
     *
     * @param dataDir the directory
     * @param programsDir where the programs are, or are to be unpacked
     * @param startTimeout how long the server may take
     * @throws StoreException when another service uses the directory, or the server does not start
     */
    public static EmbeddedDatabase open(Path dataDir, Path programsDir, Duration startTimeout) {
        try {
            makePrivate(dataDir);
            FileChannel lock = lock(dataDir);
            try {
                return start(dataDir, programsDir, startTimeout, lock);
            } catch (IOException | RuntimeException failure) {
                lock.close();
                throw failure;
            }
        } catch (IOException failure) {
            throw new StoreException(
                    "cannot use %s (%s); choose a different --madcast.data-dir"
                            .formatted(dataDir, reason(failure)),
                    failure);
        }
    }

    private static String reason(IOException failure) {
        return switch (failure) {
            case AccessDeniedException denied -> "permission denied for " + denied.getFile();
            case NoSuchFileException missing -> missing.getFile() + " cannot be made";
            default -> failure.toString();
        };
    }

    /** Where JDBC finds it; the database is the cluster's default one. */
    public String jdbcUrl() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?ApplicationName=madcast";
    }

    /** The user's password. */
    public String password() {
        return password;
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            watch.join();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        try (lockFile) {
            if (postmaster.running().isPresent()) {
                postmaster.stop();
            }
        } catch (IOException failure) {
            LOG.warn("cannot unlock the data directory: {}", failure.toString());
        }
    }

    private void watch() {
        try {
            while (!closed.await(WATCH_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                try {
                    reviveIfDead();
                } catch (StoreException failure) {
                    tell(failure);
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Its children may outlive a killed server for a moment, and keep its memory: tried again. */
    private void reviveIfDead() {
        if (postmaster.running().isPresent()) {
            return;
        }
        if (tellNs.isEmpty()) {
            LOG.warn("The database server has died; starting it again");
        }
        postmaster.start(port, SETTINGS, startTimeout);
        LOG.info("The database server is back");
        tellNs = OptionalLong.empty();
    }

    private void tell(StoreException failure) {
        long nowNs = System.nanoTime();
        if (tellNs.isEmpty() || nowNs - tellNs.getAsLong() >= 0) {
            LOG.warn("{}; trying again until it does", failure.getMessage());
            tellNs = OptionalLong.of(nowNs + TELL_EVERY_NS);
        }
    }

    private static EmbeddedDatabase start(
            Path dataDir, Path programsDir, Duration startTimeout, FileChannel lock)
            throws IOException {
        Path files = dataDir.resolve("postgres");
        Path log = dataDir.resolve("postgres.log");
        PostgresPrograms programs = PostgresPrograms.in(programsDir);
        Postmaster postmaster = new Postmaster(programs, files, log);
        @Nullable ProcessHandle orphan = postmaster.running().orElse(null);
        if (orphan != null) {
            LOG.info("Ending database server {}, which a killed service left", orphan.pid());
            postmaster.stop();
        }
        Path passwordFile = dataDir.resolve("password");
        if (!Files.exists(files.resolve("PG_VERSION"))) {
            LOG.info("Making a database in {}", files);
            writePassword(passwordFile);
            Path unfinished = dataDir.resolve("postgres.new");
            PostgresPrograms.deleteRecursively(unfinished);
            new Postmaster(programs, unfinished, log).initialize(USER, passwordFile);
            Files.move(unfinished, files, StandardCopyOption.ATOMIC_MOVE);
        }
        String password = Files.readString(passwordFile, StandardCharsets.UTF_8).strip();
        int port = freePort();
        postmaster.start(port, SETTINGS, startTimeout);
        EmbeddedDatabase database =
                new EmbeddedDatabase(postmaster, lock, password, port, startTimeout);
        database.watch.start();
        return database;
    }

    private static void makePrivate(Path dataDir) throws IOException {
        Files.createDirectories(dataDir);
        Files.setPosixFilePermissions(dataDir, PosixFilePermissions.fromString("rwx------"));
    }

    private static FileChannel lock(Path dataDir) throws IOException {
        FileChannel channel =
                FileChannel.open(
                        dataDir.resolve("lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
        @Nullable FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException sameProcess) {
            lock = null;
        }
        if (lock == null) {
            channel.close();
            throw new StoreException(
                    dataDir
                            + " is in use by another allocation service; choose a different"
                            + " --madcast.data-dir");
        }
        return channel;
    }

    private static void writePassword(Path file) throws IOException {
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        Set<PosixFilePermission> ownerOnly = PosixFilePermissions.fromString("rw-------");
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(ownerOnly));
        Files.writeString(file, HexFormat.of().formatHex(random) + "\n", StandardCharsets.UTF_8);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket =
                new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            return socket.getLocalPort();
        }
    }
}
