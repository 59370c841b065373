package org.madcast.agent.push;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/**
 * How much there is to push, for the progress bar.
 *
 * @param files regular files
 * @param bytes their sizes
 */
record SourceSize(long files, long bytes) {

    static SourceSize of(List<Path> sources) throws IOException {
        long[] sum = new long[2];
        for (Path source : sources) {
            // A link that the user names is followed; those inside of trees are not.
            Path start = source.toRealPath();
            Path _ =
                    Files.walkFileTree(
                            start,
                            new SimpleFileVisitor<>() {
                                @Override
                                public FileVisitResult visitFile(
                                        Path file, BasicFileAttributes found) {
                                    if (found.isRegularFile()) {
                                        sum[0]++;
                                        sum[1] += found.size();
                                    }
                                    return FileVisitResult.CONTINUE;
                                }

                                @Override
                                public FileVisitResult visitFileFailed(Path file, IOException e) {
                                    return FileVisitResult
                                            .CONTINUE; // reported when it cannot be sent
                                }
                            });
        }
        return new SourceSize(sum[0], sum[1]);
    }
}
