package org.madcast.client.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.madcast.client.Communicator;

/**
 * Broadcasts files and trees: a collective operation over a {@link Communicator}, in which one rank
 * calls {@link #send} and all others call {@link #receive} (seed 002's {@code Bcast_File}).
 *
 * <p><b>What arrives.</b> Each file arrives whole or not at all: it is written under a temporary
 * name in its directory, compared by SHA-256, brought to the disk, and renamed. Permissions and
 * times of modification are kept, owners are not. Runs of zeros become holes. Symbolic links are
 * made when they lead to a place below the destination. Names that would escape from it are
 * refused.
 *
 * <p><b>Failure.</b> A file that one rank cannot write, for want of space or of permission, is that
 * rank's failure in the {@link FileReport}, and stops no other rank. A rank that dies ends the
 * operation as it ends every other call of the communicator; what is complete by then has its
 * place, and a partial file remains from which the next attempt goes on.
 *
 * <p><b>Memory</b> is bounded by {@link FileBroadcastOptions#memoryBytes()}, whatever the files
 * are; beyond it, only the directories of the tree that is sent are remembered until the end.
 *
 * <p><b>Threads.</b> An object serves one operation, called by one thread; {@link #cancel} may be
 * called by any. Reading or writing is done by a thread of its own.
 */
public final class FileBroadcast {

    private final Communicator communicator;
    private final FileBroadcastOptions options;
    private final Cancellation cancellation = new Cancellation();

    private FileBroadcast(Communicator communicator, FileBroadcastOptions options) {
        this.communicator = Objects.requireNonNull(communicator);
        this.options = Objects.requireNonNull(options);
    }

    /** A broadcast of files over this communicator. */
    public static FileBroadcast over(Communicator communicator, FileBroadcastOptions options) {
        return new FileBroadcast(communicator, options);
    }

    /**
     * Sends files and trees from this rank. Each is made below the receivers' directories under its
     * last name; of a path that ends in {@code /.} the content is.
     *
     * @return what every rank did
     * @throws IOException when a rank says what makes no sense
     * @throws org.madcast.client.MadcastException when a rank died
     * @throws CancellationException after {@link #cancel}
     */
    public FileReport send(List<Path> sources) throws IOException, InterruptedException {
        return new Sender(new Exchange(communicator), options, cancellation).send(sources, null);
    }

    /**
     * Sends one file under another name.
     *
     * @param name its name in the receivers' directories
     * @return what every rank did
     * @throws IOException when a rank sends an invalid message
     * @throws org.madcast.client.MadcastException when a rank died
     * @throws CancellationException after {@link #cancel}
     */
    public FileReport sendAs(Path source, String name) throws IOException, InterruptedException {
        return new Sender(new Exchange(communicator), options, cancellation)
                .send(List.of(source), name);
    }

    /**
     * Receives what the root sends.
     *
     * @param directory where to; it is made when it is missing
     * @param root the rank that sends
     * @return what every rank did
     * @throws IOException when the sender says what makes no sense
     * @throws org.madcast.client.MadcastException when a rank died
     * @throws CancellationException after {@link #cancel}
     */
    public FileReport receive(Path directory, int root) throws IOException, InterruptedException {
        if (root == communicator.rank()) {
            throw new IllegalArgumentException("rank " + root + " sends, so it must call send");
        }
        return new Receiver(new Exchange(communicator), root, options, cancellation)
                .receive(directory);
    }

    /**
     * Makes this rank's operation end with {@link CancellationException} at the next piece. Its
     * caller must close the communicator then, so that the others notice.
     */
    public void cancel() {
        cancellation.ask();
    }
}
