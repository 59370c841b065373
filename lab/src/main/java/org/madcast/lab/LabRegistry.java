package org.madcast.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The labs of this machine: one file each in /run/madcast/lab, written before anything of the lab
 * is made and deleted after all of it is gone. So whatever exists can be found and taken down, at
 * whatever moment its maker died. A lock file serialises claims between processes.
 */
final class LabRegistry {
    private static final Path DIRECTORY = Path.of("/run/madcast/lab");
    private static final String SUFFIX = ".lab";
    private static final ReentrantLock IN_THIS_JVM = new ReentrantLock();

    private LabRegistry() {}

    /** Writes a new lab down under a free subnet; refuses a name that is taken. */
    static LabState claim(LabSpec spec) {
        IN_THIS_JVM.lock();
        try {
            Files.createDirectories(DIRECTORY);
            try (FileChannel file =
                            FileChannel.open(
                                    DIRECTORY.resolve("lock"),
                                    StandardOpenOption.CREATE,
                                    StandardOpenOption.WRITE);
                    FileLock _ = file.lock()) {
                refuseTaken(spec);
                LabState state = new LabState(spec, freeSubnet(), LabOwner.self());
                Path draft = DIRECTORY.resolve(spec.name() + ".draft");
                Files.writeString(draft, state.write());
                Files.move(draft, file(spec.name()), StandardCopyOption.ATOMIC_MOVE);
                return state;
            }
        } catch (IOException e) {
            throw new LabException("cannot write the lab down in " + DIRECTORY + ": " + e, e);
        } finally {
            IN_THIS_JVM.unlock();
        }
    }

    static void forget(String name) {
        try {
            Files.deleteIfExists(file(name));
        } catch (IOException e) {
            throw new LabException("cannot delete " + file(name) + ": " + e, e);
        }
    }

    static Optional<LabState> find(String name) {
        return read(file(name));
    }

    static List<LabState> list() {
        List<LabState> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            files.filter(path -> path.toString().endsWith(SUFFIX))
                    .sorted()
                    .forEach(path -> read(path).ifPresent(found::add));
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException | UncheckedIOException e) {
            throw new LabException("cannot list " + DIRECTORY + ": " + e, e);
        }
        return found;
    }

    private static void refuseTaken(LabSpec spec) {
        String name = spec.name();
        if (Files.exists(file(name))) {
            throw new LabException("a lab named " + name + " exists; take it down first");
        }
        // Namespaces of others are not ours to replace.
        Stream.concat(
                        Stream.of(LabState.switchNamespace(name)),
                        IntStream.range(0, spec.hosts())
                                .mapToObj(host -> LabState.hostNamespace(name, host)))
                .filter(Namespaces::exists)
                .findFirst()
                .ifPresent(taken -> {
                    throw new LabException("a namespace " + taken + " exists that no lab made");
                });
    }

    private static Subnet freeSubnet() {
        Set<Subnet> taken = list().stream().map(LabState::subnet).collect(Collectors.toSet());
        return IntStream.rangeClosed(Subnet.LEAST, Subnet.MOST)
                .mapToObj(Subnet::new)
                .filter(subnet -> !taken.contains(subnet))
                .findFirst()
                .orElseThrow(() -> new LabException("all 254 subnets are taken by labs"));
    }

    private static Optional<LabState> read(Path file) {
        try {
            return Optional.of(LabState.read(Files.readString(file)));
        } catch (NoSuchFileException e) {
            return Optional.empty(); // taken down meanwhile
        } catch (IOException e) {
            throw new LabException("cannot read " + file + ": " + e, e);
        } catch (IllegalArgumentException e) {
            throw new LabException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private static Path file(String name) {
        return DIRECTORY.resolve(name + SUFFIX);
    }
}
