package org.madcast.client.file;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Counts what one rank did. Any thread. */
final class Tally {

    private static final int MAX_TEXT = 1000;

    private final List<FileFailure> failures = new ArrayList<>();
    private long filesWritten;
    private long filesKept;
    private long bytesWritten;
    private long bytesResumed;
    private long failureCount;

    synchronized void written(long bytes) {
        filesWritten++;
        bytesWritten += bytes;
    }

    synchronized void kept() {
        filesKept++;
    }

    synchronized void resumed(long bytes) {
        bytesResumed += bytes;
    }

    synchronized void failed(String path, String reason) {
        failureCount++;
        if (failures.size() < RankReport.MAX_NAMED_FAILURES) {
            failures.add(new FileFailure(shortened(path), shortened(reason)));
        }
    }

    private static String shortened(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "...";
    }

    synchronized byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeLong(filesWritten);
            out.writeLong(filesKept);
            out.writeLong(bytesWritten);
            out.writeLong(bytesResumed);
            out.writeLong(failureCount);
            out.writeInt(failures.size());
            for (FileFailure failure : failures) {
                out.writeUTF(failure.path());
                out.writeUTF(failure.reason());
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    static RankReport decode(int rank, byte[] message) throws ProtocolException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(message))) {
            long filesWritten = in.readLong();
            long filesKept = in.readLong();
            long bytesWritten = in.readLong();
            long bytesResumed = in.readLong();
            long failureCount = in.readLong();
            int named = in.readInt();
            if (named < 0 || named > RankReport.MAX_NAMED_FAILURES) {
                throw new ProtocolException("rank " + rank + " names " + named + " failures");
            }
            List<FileFailure> failures = new ArrayList<>();
            for (int i = 0; i < named; i++) {
                failures.add(new FileFailure(in.readUTF(), in.readUTF()));
            }
            return new RankReport(
                    rank,
                    filesWritten,
                    filesKept,
                    bytesWritten,
                    bytesResumed,
                    failureCount,
                    failures);
        } catch (ProtocolException refused) {
            throw refused;
        } catch (IOException garbled) {
            throw new ProtocolException("rank " + rank + " sent an invalid report");
        }
    }
}
