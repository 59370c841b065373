package org.madcast.client.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.madcast.client.file.Inventory.Finding;

/**
 * A receiving rank's part. The calling thread takes the stream in, a {@link Writer} makes files of
 * it. A rank that cannot write takes part all the same, since the operation is collective: it says
 * that it needs nothing, and why.
 */
final class Receiver {

    private final Exchange exchange;
    private final int root;
    private final Cancellation cancellation;
    private final PiecePipe pipe;
    private final Progress progress;
    private final Tally tally = new Tally();

    Receiver(Exchange exchange, int root, FileBroadcastOptions options, Cancellation cancellation) {
        this.exchange = exchange;
        this.root = root;
        this.cancellation = cancellation;
        this.pipe = new PiecePipe(options.memoryBytes());
        this.progress = new Progress(options.listener());
    }

    FileReport receive(Path directory) throws IOException, InterruptedException {
        Opening opening = Opening.decode(exchange.receive(root));
        Path real = open(directory);
        int writer = sharedWriter(opening, real);
        if (real == null || writer != exchange.rank()) {
            return look(writer);
        }
        return write(new Destination(real), opening.rules());
    }

    private @Nullable Path open(Path directory) {
        try {
            Files.createDirectories(directory);
            Path real = directory.toRealPath();
            if (!Files.isWritable(real)) {
                throw new IOException("permission denied");
            }
            return real;
        } catch (IOException problem) {
            tally.failed("", directory + ": " + Problems.describe(problem));
            return null;
        }
    }

    private int sharedWriter(Opening opening, @Nullable Path real) throws IOException {
        return new SharedDirectory(exchange, root, opening.broadcast()).writer(real);
    }

    private FileReport write(Destination destination, Inventory.Rules rules)
            throws IOException, InterruptedException {
        // Each thread has a destination of its own, which remembers what it saw.
        Inventory inventory = new Inventory(new Destination(destination.root()), rules);
        Writer writer = new Writer(destination, rules.mode(), pipe, tally);
        boolean finished = false;
        try {
            for (List<Entry> entries = nextBatch(); !entries.isEmpty(); entries = nextBatch()) {
                List<Finding> findings = inventory.examine(entries);
                List<Need> needs = findings.stream().map(Finding::need).toList();
                List<Plan.Item> items = settle(entries, needs);
                writer.begin(new Writer.Work(entries, findings, items));
                takeIn(writer::reads);
            }
            writer.finish();
            finished = true;
        } finally {
            if (!finished) {
                writer.abandon();
            }
        }
        return Reports.gather(exchange, tally);
    }

    private FileReport look(int writer) throws IOException, InterruptedException {
        for (List<Entry> entries = nextBatch(); !entries.isEmpty(); entries = nextBatch()) {
            List<Plan.Item> _ = settle(entries, Collections.nCopies(entries.size(), Need.KEPT));
            if (writer != exchange.rank()) {
                entries.stream().filter(Entry::isFile).forEach(_ -> tally.kept());
            }
            takeIn(() -> false);
        }
        return Reports.gather(exchange, tally);
    }

    private List<Entry> nextBatch() throws ProtocolException {
        cancellation.check();
        return Plan.decodeEntries(exchange.receive(root));
    }

    private List<Plan.Item> settle(List<Entry> entries, List<Need> needs) throws ProtocolException {
        exchange.gather(Plan.encodeNeeds(needs), root, (_, _) -> {});
        List<Plan.Item> items = Plan.decodeItems(exchange.receive(root), entries.size());
        long all = 0;
        long sent = 0;
        for (int i = 0; i < entries.size(); i++) {
            all += entries.get(i).sizeBytes();
            sent += items.get(i).bytes(entries.get(i));
        }
        progress.begin(all, sent);
        return items;
    }

    private interface Wanted {
        boolean wanted();
    }

    /** Takes in the section of one batch; what no writer wants is thrown away. */
    private void takeIn(Wanted writer) throws IOException, InterruptedException {
        byte[] ignored = new byte[0];
        int length = exchange.receiveLength(root, PiecePipe.PIECE_BYTES);
        while (length > 0) {
            cancellation.check();
            int next;
            if (writer.wanted()) {
                PiecePipe.Piece piece = pipe.takeFree();
                piece.length = length;
                next = receive(piece.bytes, length);
                pipe.put(piece);
            } else {
                ignored =
                        ignored.length > 0
                                ? ignored
                                : new byte[PiecePipe.PIECE_BYTES + PiecePipe.TRAILER_BYTES];
                next = receive(ignored, length);
            }
            progress.piece(length);
            length = next;
        }
        pipe.endSection();
        progress.end();
    }

    /** Receives a piece; what comes back is the length of the next one. */
    private int receive(byte[] bytes, int length) throws ProtocolException {
        return exchange.receivePiece(bytes, length, root, PiecePipe.PIECE_BYTES);
    }
}
