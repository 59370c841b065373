package org.madcast.client.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The stream of files: what goes in comes out, however data, holes and pieces meet. */
@Timeout(180)
class StreamTest {

    private static final long SEED = Long.getLong("madcast.seed", 20);
    private static final int FILES = 60;
    private static final int BLOCK = 64 << 10;

    @TempDir private Path directory = Path.of("");

    @Test
    void randomFilesOfDataAndZerosComeOutAsTheyWent() throws Exception {
        Random random = new Random(SEED);
        List<byte[]> contents = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            contents.add(content(random));
        }
        PiecePipe pipe = new PiecePipe(4 << 20);
        Callable<Void> writing =
                () -> {
                    StreamOutput out = new StreamOutput(pipe);
                    for (byte[] content : contents) {
                        send(content, out);
                    }
                    out.endBatch();
                    return null;
                };
        try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
            Future<Void> written = pool.submit(writing);
            StreamInput in = new StreamInput(pipe);
            for (int i = 0; i < FILES; i++) {
                Collected file = new Collected();
                StreamInput.Ending ending = in.file(file);
                assertThat(file.bytes.toByteArray())
                        .as("file %d, seed %d", i, SEED)
                        .isEqualTo(contents.get(i));
                assertThat(ending)
                        .isInstanceOfSatisfying(
                                StreamInput.Complete.class,
                                end ->
                                        assertThat(end.digest())
                                                .isEqualTo(sha256(file.bytes.toByteArray())));
            }
            in.endBatch();
            written.get();
        }
    }

    private void send(byte[] content, StreamOutput out) throws IOException, InterruptedException {
        Path file = Files.write(directory.resolve("f"), content);
        MessageDigest digest = Digest.sha256();
        try (FileChannel channel = FileChannel.open(file)) {
            out.copy(channel, content.length, digest);
        }
        out.end(Digest.of(digest));
    }

    private static Digest sha256(byte[] bytes) {
        MessageDigest digest = Digest.sha256();
        digest.update(bytes);
        return Digest.of(digest);
    }

    private static byte[] content(Random random) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int parts = random.nextInt(6);
        for (int i = 0; i < parts; i++) {
            byte[] part = new byte[random.nextInt(4) * BLOCK + random.nextInt(3) * 1000];
            if (random.nextBoolean()) {
                random.nextBytes(part);
            }
            bytes.writeBytes(part);
        }
        return bytes.toByteArray();
    }

    @Test
    void aFileThatBreaksOffSaysWhyAndTheNextOneIsWhole() throws Exception {
        PiecePipe pipe = new PiecePipe(4 << 20);
        StreamOutput out = new StreamOutput(pipe);
        Path file = Files.write(directory.resolve("f"), new byte[3 * BLOCK]);
        try (FileChannel channel = FileChannel.open(file)) {
            out.copy(channel, 2 * BLOCK, Digest.sha256());
        }
        out.failed("it is gone");
        send(new byte[] {1, 2, 3}, out);
        out.endBatch();
        StreamInput in = new StreamInput(pipe);
        assertThat(in.file(new Collected())).isEqualTo(new StreamInput.Broken("it is gone"));
        Collected second = new Collected();
        assertThat(in.file(second)).isInstanceOf(StreamInput.Complete.class);
        assertThat(second.bytes.toByteArray()).containsExactly(1, 2, 3);
        in.endBatch();
    }

    @Test
    void aBatchThatEndsWithinAFileTakesNothingOfTheNextOne() throws Exception {
        PiecePipe pipe = new PiecePipe(4 << 20);
        PiecePipe.Piece cut = pipe.takeFree();
        cut.bytes[0] = StreamOutput.DATA;
        cut.length = 1;
        pipe.put(cut);
        pipe.endSection();
        StreamOutput out = new StreamOutput(pipe);
        send(new byte[] {1, 2, 3}, out);
        out.endBatch();
        StreamInput in = new StreamInput(pipe);
        assertThatThrownBy(() -> in.file(new Collected())).isInstanceOf(ProtocolException.class);
        in.endBatch();
        Collected next = new Collected();
        assertThat(in.file(next)).isInstanceOf(StreamInput.Complete.class);
        assertThat(next.bytes.toByteArray()).containsExactly(1, 2, 3);
        in.endBatch();
    }

    private static final class Collected implements StreamInput.Records {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        @Override
        public void data(byte[] array, int offset, int length) {
            bytes.write(array, offset, length);
        }

        @Override
        public void hole(long length) {
            bytes.writeBytes(new byte[(int) length]);
        }
    }
}
