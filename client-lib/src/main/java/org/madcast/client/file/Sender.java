package org.madcast.client.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.madcast.client.file.PiecePipe.Piece;
import org.madcast.client.file.SourceTree.Source;

/**
 * The sending rank's part. For each batch of the tree: announce it, hear what each rank needs, say
 * what will come, and send that. A second thread reads the files while the calling one broadcasts.
 */
final class Sender {

    private final Exchange exchange;
    private final FileBroadcastOptions options;
    private final Cancellation cancellation;
    private final PiecePipe pipe;
    private final Progress progress;
    private final Tally tally = new Tally();
    private long bytesSent;

    Sender(Exchange exchange, FileBroadcastOptions options, Cancellation cancellation) {
        this.exchange = exchange;
        this.options = options;
        this.cancellation = cancellation;
        this.pipe = new PiecePipe(options.memoryBytes());
        this.progress = new Progress(options.listener());
    }

    FileReport send(List<Path> sources, @Nullable String name)
            throws IOException, InterruptedException {
        Opening opening =
                new Opening(
                        new SecureRandom().nextLong(),
                        new Inventory.Rules(options.mode(), options.delta(), options.resume()));
        ExecutorService reading =
                Executors.newSingleThreadExecutor(
                        Thread.ofPlatform().daemon().name("madcast-files").factory());
        // Loading it takes longer than reading a piece, and nothing can be read yet.
        reading.execute(Digest::sha256);
        try (SourceTree tree = new SourceTree(sources, name, tally)) {
            exchange.send(opening.encode());
            int _ =
                    new SharedDirectory(exchange, exchange.rank(), opening.broadcast())
                            .writer(null);
            List<Source> batch;
            do {
                batch = tree.nextBatch();
                exchange.send(Plan.encodeEntries(batch.stream().map(Source::entry).toList()));
                if (!batch.isEmpty()) {
                    send(batch, reading);
                }
            } while (!batch.isEmpty());
        } finally {
            pipe.close();
            reading.shutdown();
        }
        return Reports.gather(exchange, tally, bytesSent);
    }

    private void send(List<Source> batch, ExecutorService reading)
            throws IOException, InterruptedException {
        Demand demand = new Demand(batch.size());
        exchange.gather(
                new byte[0],
                exchange.rank(),
                (rank, message) -> {
                    if (rank != exchange.rank()) {
                        demand.add(Plan.decodeNeeds(message, batch.size()));
                    }
                });
        List<Plan.Item> items = items(batch, demand);
        exchange.send(Plan.encodeItems(items));
        long all = 0;
        long sent = 0;
        for (int i = 0; i < batch.size(); i++) {
            all += batch.get(i).entry().sizeBytes();
            sent += items.get(i).bytes(batch.get(i).entry());
        }
        bytesSent += sent;
        progress.begin(all, sent);
        Future<?> read = reading.submit(() -> read(batch, items));
        pump(read);
        progress.end();
    }

    private List<Plan.Item> items(List<Source> batch, Demand demand) {
        List<Plan.Item> items = new ArrayList<>(batch.size());
        for (int i = 0; i < batch.size(); i++) {
            items.add(demand.item(i, demand.hasCandidates(i) ? digest(batch.get(i)) : null));
        }
        return items;
    }

    private static @Nullable Digest digest(Source source) {
        try {
            return Digest.of(source.path());
        } catch (IOException _) {
            return null; // It will fail again, and be reported, when it is sent.
        }
    }

    /** Each piece says how long the next one is, so that only the first needs to be announced. */
    private void pump(Future<?> read) throws InterruptedException {
        Piece piece = pipe.take();
        exchange.sendLength(piece == null ? 0 : piece.length);
        while (piece != null) {
            cancellation.check();
            Piece next = pipe.take();
            piece.announce(next == null ? 0 : next.length);
            exchange.piece(piece.bytes, piece.length + PiecePipe.TRAILER_BYTES, exchange.rank());
            progress.piece(piece.length);
            pipe.recycle(piece);
            piece = next;
        }
        try {
            Object _ = read.get(1, TimeUnit.MINUTES);
        } catch (ExecutionException | TimeoutException broken) {
            throw new IllegalStateException("reading ended", broken);
        }
    }

    /** The other thread: puts the files of a batch into the stream. */
    private void read(List<Source> batch, List<Plan.Item> items) {
        StreamOutput out = new StreamOutput(pipe);
        MessageDigest digest = Digest.sha256();
        try {
            for (int i = 0; i < batch.size(); i++) {
                if (items.get(i).sent()) {
                    read(batch.get(i), items.get(i), out, digest);
                } else if (batch.get(i).entry().isFile()) {
                    tally.kept();
                }
            }
            out.endBatch();
        } catch (InterruptedException | CancellationException _) {
            pipe.close();
        } catch (RuntimeException broken) {
            pipe.close();
            throw broken;
        }
    }

    private void read(Source source, Plan.Item item, StreamOutput out, MessageDigest digest)
            throws InterruptedException {
        Entry entry = source.entry();
        digest.reset();
        try (FileChannel file = FileChannel.open(source.path(), StandardOpenOption.READ)) {
            if (item.offset() > 0) {
                Digest.update(digest, file, item.offset());
            }
            out.copy(file, entry.sizeBytes() - item.offset(), digest);
            requireUnchanged(source);
            out.end(Digest.of(digest));
            tally.written(entry.sizeBytes());
        } catch (IOException problem) {
            String reason = Problems.describe(problem);
            out.failed(reason);
            tally.failed(entry.path(), reason);
        }
    }

    private static void requireUnchanged(Source source) throws IOException {
        BasicFileAttributes now = Files.readAttributes(source.path(), BasicFileAttributes.class);
        Entry entry = source.entry();
        if (now.size() != entry.sizeBytes()
                || now.lastModifiedTime().to(TimeUnit.NANOSECONDS) != entry.modifiedNs()) {
            throw new IOException("it changed while it was read");
        }
    }
}
