package org.madcast.agent.profile;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.Arguments;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.service.ServiceAccess;
import org.madcast.agent.service.ServiceClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast profile}: reads what ranks have written for {@code MADCAST_PROFILE}. */
@ExitCodes({ExitCode.NO_INPUT, ExitCode.SERVICE})
@Command(
        name = "profile",
        header = "Show where the time of ranks went, and draw it.",
        description = {
            "",
            "Reads what the ranks of a job have written: with MADCAST_PROFILE=FOLDER each rank writes"
                    + " FOLDER/rank-N.jsonl at its end; %%r in a name stands for the rank. docs/PROFILE.md"
                    + " describes the files."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  MADCAST_PROFILE=prof madcast run -n 4 java Hello.java; madcast profile prof",
            "  madcast profile prof --svg matrix.svg --timeline time.svg",
            "  madcast profile prof --upload --service http://127.0.0.1:8730"
        })
public final class ProfileCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = "Profiles of the ranks of one job, or folders that have them.")
    private List<Path> files = List.of();

    @Option(
            names = "--svg",
            paramLabel = "FILE",
            description = "Draw how many bytes each rank has sent to which, as an SVG picture.")
    private @Nullable Path matrix;

    @Option(
            names = "--timeline",
            paramLabel = "FILE",
            description = "Draw what each rank did when, as an SVG picture.")
    private @Nullable Path timeline;

    @Option(
            names = "--upload",
            description =
                    "Upload them to the service at which the ranks have met; the page of their"
                            + " communicator shows them then.")
    private boolean upload;

    @Mixin private ServiceAccess service = new ServiceAccess();

    @Override
    public Integer call() throws InterruptedException {
        URI uri = service.uri();
        if (upload && uri == null) {
            throw Arguments.wrong(spec, "--upload needs a --service");
        }
        List<ProfileFile> profiles = ProfileFile.readAll(files);
        List<RankProfile> sums = profiles.stream().map(ProfileFile::sums).toList();
        PrintWriter out = spec.commandLine().getOut();
        new ProfileReport(sums).print(out);
        ProfileReport.printLate(out, profiles);
        draw(matrix, () -> new MatrixPicture(sums).svg());
        draw(timeline, () -> new TimelinePicture(profiles).svg());
        if (upload && uri != null) {
            String page = new ProfileUpload(profiles).send(new ServiceClient(uri, service.token()));
            out.println("handed in; see " + uri.resolve(page));
            out.flush();
        }
        return ExitCode.OK.code();
    }

    private static void draw(@Nullable Path file, Supplier<String> picture) {
        if (file == null) {
            return;
        }
        try {
            Files.writeString(file, picture.get());
        } catch (IOException failed) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT, file + " cannot be written: " + failed.getMessage(), failed);
        }
    }
}
