package org.madcast.agent.service;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.Callable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast export}: the service's whole state in a file. */
@ExitCodes({ExitCode.SERVICE, ExitCode.NO_INPUT})
@Command(
        name = "export",
        header = "Write the service's whole state to a file, as JSON lines.",
        description = {
            "",
            "Scopes, leases, tokens, communicators, webhooks and the audit, as they are at one moment,"
                    + " while the service goes on. Only its user can read the file: it has secrets of"
                    + " webhooks and communicators, and hashes of others. Only an operator may."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast export madcast-state.jsonl",
            "  madcast export --no-audit without-the-audit.jsonl"
        })
public final class ExportCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Parameters(paramLabel = "FILE", description = "The file, which is replaced when all is there.")
    private Path file = Path.of("");

    @Option(names = "--no-audit", description = "Leave out the audit.")
    private boolean withoutAudit;

    @Override
    public Integer call() throws InterruptedException {
        ServiceClient client = service.operatorClient();
        String path = "/v1/state?audit=" + !withoutAudit;
        try {
            Path directory = file.toAbsolutePath().getParent();
            Path part =
                    Files.createTempFile(
                            directory == null ? Path.of("/") : directory,
                            ".madcast",
                            ".part",
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rw-------")));
            try {
                try (OutputStream out = Files.newOutputStream(part)) {
                    client.download(path, out);
                }
                Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(part);
            }
            long bytes = Files.size(file);
            spec.commandLine()
                    .getOut()
                    .println(
                            service.json()
                                    ? "{\"bytes\":" + bytes + "}"
                                    : "wrote " + bytes + " bytes to " + file);
            return ExitCode.OK.code();
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT, file + " cannot be written; name another file", e);
        }
    }
}
