package org.madcast.client.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.madcast.client.file.Inventory.Finding;

/**
 * A receiver's second thread: takes the stream out of the pipe and makes files of it. What fails is
 * that file's failure and goes to the tally; the stream is read on in any case.
 */
final class Writer {

    /** A batch, as the sender announced it and this rank found it. */
    record Work(List<Entry> entries, List<Finding> findings, List<Plan.Item> items) {

        private boolean isLast() {
            return entries.isEmpty();
        }
    }

    private static final Work LAST = new Work(List.of(), List.of(), List.of());
    private static final int BATCHES_AHEAD = 4;
    private static final int OWNER_ACCESS = 0700;

    private record Settled(Path path, Entry entry) {}

    private final Destination destination;
    private final WriteMode mode;
    private final PiecePipe pipe;
    private final Tally tally;
    private final @Nullable SmallFiles small = SmallFiles.create().orElse(null);
    private final Commit commit;
    private final StreamInput stream;
    private final MessageDigest digest = Digest.sha256();
    private final SmallContent content = new SmallContent();
    private final BlockingQueue<Work> works = new ArrayBlockingQueue<>(BATCHES_AHEAD);
    private final Deque<Settled> directories = new ArrayDeque<>();
    private final Thread thread;

    Writer(Destination destination, WriteMode mode, PiecePipe pipe, Tally tally) {
        this.destination = destination;
        this.mode = mode;
        this.pipe = pipe;
        this.tally = tally;
        this.commit = new Commit(destination.root(), tally, small);
        this.stream = new StreamInput(pipe);
        this.thread = Thread.ofPlatform().daemon().name("madcast-files").start(this::run);
    }

    /** Announces a batch; its section of the stream follows in the pipe. */
    void begin(Work work) throws InterruptedException {
        boolean taken = false;
        while (!taken && reads()) {
            taken = works.offer(work, 100, TimeUnit.MILLISECONDS);
        }
    }

    /** False once it has given up by itself. */
    boolean reads() {
        return thread.isAlive();
    }

    /** Waits until everything is written and has its name. */
    void finish() throws InterruptedException {
        begin(LAST);
        thread.join();
    }

    /** Gives up: what is complete gets its name, what is not remains for another attempt. */
    void abandon() {
        pipe.close();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                works.clear();
                boolean _ = works.offer(LAST);
                thread.join(100);
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        boolean ended = false;
        try {
            for (Work work = works.take(); !work.isLast(); work = works.take()) {
                write(work);
            }
            commit.flush();
            settleDirectories();
            ended = true;
        } catch (CancellationException _) {
            commit.flush();
            ended = true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            if (small != null) {
                small.close();
            }
            if (!ended) {
                tally.failed("", "writing ended early; see the log of this rank");
                pipe.close();
            }
        }
    }

    private void write(Work work) throws InterruptedException {
        boolean readable = true;
        for (int i = 0; i < work.entries().size(); i++) {
            Entry entry = work.entries().get(i);
            try {
                switch (entry.kind()) {
                    case DIRECTORY -> makeDirectory(entry);
                    case LINK -> makeLink(entry);
                    case FILE -> {
                        if (readable || !work.items().get(i).sent()) {
                            file(entry, work.findings().get(i), work.items().get(i));
                        }
                    }
                }
            } catch (ProtocolException nonsense) {
                readable = false;
                tally.failed("", "the stream cannot be read: " + nonsense.getMessage());
            } catch (IOException problem) {
                tally.failed(entry.path(), Problems.describe(problem));
            }
        }
        stream.endBatch();
    }

    private void makeDirectory(Entry entry) throws IOException {
        Path path = destination.prepare(entry.path() + "/x").getParent();
        if (path == null) {
            return;
        }
        PosixFileAttributes present =
                Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!present.permissions().containsAll(Permissions.of(OWNER_ACCESS))) {
            Files.setPosixFilePermissions(path, Permissions.of(entry.mode() | OWNER_ACCESS));
        }
        directories.addLast(new Settled(path, entry));
    }

    private void makeLink(Entry entry) throws IOException {
        if (!Destination.staysBelow(entry.path(), entry.target())) {
            throw new IOException("a link to '" + entry.target() + "' would lead elsewhere");
        }
        Path link = destination.prepare(entry.path());
        if (mode != WriteMode.OVERWRITE && Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
            tally.kept();
            return;
        }
        Path target = target(entry);
        if (Files.isSymbolicLink(link) && Files.readSymbolicLink(link).equals(target)) {
            tally.kept();
            return;
        }
        Path partial = Partials.of(link, entry);
        Files.deleteIfExists(partial);
        Files.createSymbolicLink(partial, target);
        try {
            Files.move(partial, link, StandardCopyOption.ATOMIC_MOVE);
            tally.written(0);
        } catch (IOException inTheWay) {
            Files.delete(partial);
            throw inTheWay;
        }
    }

    private static Path target(Entry link) throws IOException {
        try {
            return Path.of(link.target());
        } catch (InvalidPathException e) {
            throw new IOException("its target is not a path", e);
        }
    }

    private void file(Entry entry, Finding finding, Plan.Item item)
            throws IOException, InterruptedException {
        Need need = finding.need().settled(item.digest());
        String problem = finding.problem();
        if (need.state() == Need.State.MISSING && item.sent()) {
            boolean atOnce = item.offset() == 0 && need.offset() == 0;
            problem =
                    atOnce && entry.sizeBytes() <= SmallFiles.MOST_BYTES && small != null
                            ? receiveSmall(entry, small)
                            : receive(entry, need, finding, item);
        } else if (item.sent()) {
            StreamInput.Ending _ = stream.file(Ignored.RECORDS);
        }
        if (problem != null) {
            tally.failed(entry.path(), problem);
        } else if (need.state() == Need.State.KEPT) {
            keep(entry, finding);
        }
    }

    private void keep(Entry entry, Finding finding) throws IOException {
        if (finding.need().state() == Need.State.CANDIDATE && finding.ofPartial()) {
            Path file = destination.prepare(entry.path());
            Path partial = Partials.of(file, entry);
            IncomingFile.settle(partial, entry);
            tally.resumed(entry.sizeBytes());
            commit.add(partial, file, entry, false);
        } else {
            tally.kept();
        }
    }

    /** As {@link #receive} for a file that fits into memory. */
    private @Nullable String receiveSmall(Entry entry, SmallFiles quick)
            throws IOException, InterruptedException {
        StreamInput.Ending ending = stream.file(content.begin(entry));
        if (!content.problem().isEmpty()) {
            return content.problem();
        }
        if (!(ending instanceof StreamInput.Complete(Digest sent))) {
            return "the sender could not read it";
        }
        if (!content.isWhole(sent, digest)) {
            return IncomingFile.DAMAGED;
        }
        Path directory = destination.prepareDirectory(entry.path());
        String name = entry.path().substring(entry.path().lastIndexOf('/') + 1);
        String partial = Partials.name(name, entry);
        int length = (int) entry.sizeBytes();
        if (!quick.write(
                directory, partial, content.bytes(), length, entry.mode(), entry.modifiedNs())) {
            Path path = directory.resolve(partial);
            try (IncomingFile file = IncomingFile.open(entry, path, digest, 0, 0)) {
                file.data(content.bytes(), 0, length);
                if (!file.problem().isEmpty()) {
                    return file.problem();
                }
                file.complete(sent, false);
            }
        }
        commit.add(directory, partial, name, entry);
        return null;
    }

    /** Takes a file out of the stream; says what went wrong, null when nothing did. */
    private @Nullable String receive(Entry entry, Need need, Finding finding, Plan.Item item)
            throws IOException, InterruptedException {
        IncomingFile file;
        Path path;
        Path partial;
        try {
            path = destination.prepare(entry.path());
            partial = Partials.of(path, entry);
            long own = finding.ofPartial() ? need.offset() : 0;
            file = IncomingFile.open(entry, partial, digest, item.offset(), own);
            tally.resumed(own);
        } catch (IOException problem) {
            StreamInput.Ending _ = stream.file(Ignored.RECORDS);
            return Problems.describe(problem);
        }
        try (file) {
            StreamInput.Ending ending = stream.file(file);
            if (!file.problem().isEmpty()) {
                return file.problem();
            }
            if (!(ending instanceof StreamInput.Complete(Digest sent))) {
                Files.deleteIfExists(partial);
                return "the sender could not read it";
            }
            file.complete(sent, Commit.isLarge(entry));
        }
        commit.add(partial, path, entry, Commit.isLarge(entry));
        return null;
    }

    /** Inner directories first, since writing into one changes the time of it. */
    private void settleDirectories() {
        while (!directories.isEmpty()) {
            Settled settled = directories.removeLast();
            try {
                IncomingFile.settle(settled.path(), settled.entry());
                Files.setPosixFilePermissions(
                        settled.path(), Permissions.of(settled.entry().mode()));
            } catch (IOException problem) {
                tally.failed(settled.entry().path(), Problems.describe(problem));
            }
        }
    }

    /** No receiver needs this file. */
    private enum Ignored implements StreamInput.Records {
        RECORDS;

        @Override
        public void data(byte[] bytes, int offset, int length) {
            // Another receiver needs it.
        }

        @Override
        public void hole(long length) {
            // Another receiver needs it.
        }
    }
}
