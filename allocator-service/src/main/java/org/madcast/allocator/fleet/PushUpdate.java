package org.madcast.allocator.fleet;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.Limits;

/**
 * How far a push is, or how it ended.
 *
 * @param id the push, a random number that its sender keeps
 * @param sequence rises with each update of a push; an older update changes nothing
 * @param sender the node that sends
 * @param destination the directory on the nodes
 * @param state how it stands
 * @param files how many files there are
 * @param bytes their bytes
 * @param doneBytes how many of these the sender is through with
 * @param streamBytes what went over the network, one time for all nodes
 * @param rounds how often a job was made; more than once when nodes were lost
 * @param nodes each node
 * @param job the start of its jobs' names in the list of communicators, such as {@code
 *     push-f0919997}; null from an agent that does not send it
 * @param names the files and directories that the user named, the first {@link #MOST_NAMES} of
 *     them; null from an agent that does not send them
 */
public record PushUpdate(
        @NotNull UUID id,
        @NotNull @PositiveOrZero Long sequence,
        @NotBlank @Size(max = Limits.NAME_LENGTH) @Pattern(regexp = Limits.PLAIN_TEXT)
                String sender,
        @NotBlank @Size(max = Limits.LINE_LENGTH) @Pattern(regexp = Limits.PLAIN_TEXT)
                String destination,
        @NotNull State state,
        @PositiveOrZero long files,
        @PositiveOrZero long bytes,
        @PositiveOrZero long doneBytes,
        @PositiveOrZero long streamBytes,
        @PositiveOrZero long rounds,
        @NotNull @Size(max = MOST_NODES) List<@Valid @NotNull Part> nodes,
        @Nullable @Pattern(regexp = "push-[a-z0-9]{1,32}") String job,
        @Nullable @Size(max = MOST_NAMES)
                List<
                                @NotBlank @Size(max = Limits.LINE_LENGTH)
                                @Pattern(regexp = Limits.PLAIN_TEXT) String>
                        names) {

    static final int MOST_NODES = 1024;

    /** The longest list of names. */
    public static final int MOST_NAMES = 64;

    /** How a push stands. */
    public enum State {
        RUNNING,
        /** Every node has everything. */
        COMPLETE,
        /** Nodes or files are missing. */
        PARTLY,
        /** It broke off. */
        FAILED
    }

    /**
     * A node's part.
     *
     * @param node as the user named it
     * @param state {@code running}, or how it ended for this node: {@code complete}, {@code
     *     partly}, {@code unreachable}, {@code refused}, {@code lost} or {@code dropped}
     * @param streamBytes how much of the stream it has taken
     * @param reason why it does not have everything
     */
    public record Part(
            @NotBlank @Size(max = Limits.NAME_LENGTH) @Pattern(regexp = Limits.PLAIN_TEXT)
                    String node,
            @NotBlank @Pattern(regexp = "running|complete|partly|unreachable|refused|lost|dropped")
                    String state,
            @PositiveOrZero long streamBytes,
            @Nullable @Size(max = Limits.LINE_LENGTH) @Pattern(regexp = Limits.PLAIN_TEXT)
                    String reason) {}
}
