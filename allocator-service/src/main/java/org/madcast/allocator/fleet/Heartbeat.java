package org.madcast.allocator.fleet;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.Limits;

/**
 * An agent says that it is there.
 *
 * @param name what its node is called
 * @param address where senders connect to, null when it takes no pushes
 * @param version of its program
 * @param intervalSeconds how often it means to say so; silent for three times as long it is missed
 * @param leaving whether this is its last word
 * @param active pushes under way
 * @param complete pushes that it completed since it started
 * @param partly pushes after which files were missing
 * @param broken pushes that broke off
 * @param files files that it wrote
 * @param bytes their bytes
 */
public record Heartbeat(
        @NotBlank @Size(max = Limits.NAME_LENGTH) @Pattern(regexp = Limits.PLAIN_TEXT) String name,
        @Nullable @Size(max = Limits.NAME_LENGTH) @Pattern(regexp = Limits.PLAIN_TEXT)
                String address,
        @Nullable @Size(max = Limits.NAME_LENGTH) @Pattern(regexp = Limits.PLAIN_TEXT)
                String version,
        @NotNull @Min(1) @Max(3600) Integer intervalSeconds,
        boolean leaving,
        @PositiveOrZero long active,
        @PositiveOrZero long complete,
        @PositiveOrZero long partly,
        @PositiveOrZero long broken,
        @PositiveOrZero long files,
        @PositiveOrZero long bytes) {}
