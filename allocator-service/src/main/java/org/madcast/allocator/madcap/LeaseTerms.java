package org.madcast.allocator.madcap;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.madcast.madcap.MadcapError;
import org.madcast.madcap.Message;
import org.madcast.madcap.Option;

/**
 * What a DISCOVER, REQUEST or RENEW is to get: decided from its options, the limits and the time
 * (RFC 2730, sections 2.2.2, 2.2.4 and 2.2.7). Pure. An absent option means the longest lease, at
 * once, one address. A start that has passed is at once.
 *
 * @param startEpochSeconds when the lease starts, since 1970; null when at once
 * @param delaySeconds from now to the start
 * @param leaseSeconds from the start to the end, at least 1
 * @param minimum the fewest addresses, at least 1
 * @param desired the most, not below the minimum
 */
record LeaseTerms(
        @Nullable Long startEpochSeconds,
        long delaySeconds,
        long leaseSeconds,
        int minimum,
        int desired) {

    /** What was decided. */
    sealed interface Decision {

        /** These terms. */
        record Possible(LeaseTerms terms) implements Decision {}

        /** No. */
        record Impossible(MadcapError error) implements Decision {}
    }

    /**
     * What a server gives at most.
     *
     * @param longestSeconds from now to a lease's end
     * @param mostAddresses of a lease
     */
    record Limits(long longestSeconds, int mostAddresses) {}

    /** The times of a request and how long they take from now. */
    private record Times(@Nullable Long start, long delaySeconds, long leaseSeconds) {}

    /** When the lease starts, as in the answer to its client. */
    Instant startsAt(Instant now) {
        return now.plusSeconds(delaySeconds);
    }

    /** When the lease ends, as in the answer to its client. */
    Instant endsAt(Instant now) {
        return startsAt(now).plusSeconds(leaseSeconds);
    }

    /** The answer to a client that gets these addresses. */
    MadcapOutcome granted(List<String> addresses, Instant now) {
        return new MadcapOutcome.Granted(
                AddressRanges.of(addresses), leaseSeconds, startEpochSeconds, now.getEpochSecond());
    }

    /** Decides about a request that was admitted. */
    static Decision decide(Message request, Limits limits, long nowEpochSeconds) {
        MadcapError startFault = startFault(request, nowEpochSeconds);
        if (startFault != null) {
            return new Decision.Impossible(startFault);
        }
        Option.StartTime wanted = request.find(Option.StartTime.class);
        Long start =
                wanted != null && wanted.epochSeconds() > nowEpochSeconds
                        ? Long.valueOf(wanted.epochSeconds())
                        : null;
        long delaySeconds = start == null ? 0 : start - nowEpochSeconds;
        if (delaySeconds >= limits.longestSeconds()) {
            return impossible(Option.Kind.START_TIME);
        }
        long longest = limits.longestSeconds() - delaySeconds;
        Option.LeaseTime time = request.find(Option.LeaseTime.class);
        Option.MinimumLeaseTime least = request.find(Option.MinimumLeaseTime.class);
        if (time != null && time.seconds() == 0) {
            return invalid(Option.Kind.LEASE_TIME);
        }
        if (time != null && least != null && least.seconds() > time.seconds()) {
            return invalid(Option.Kind.MINIMUM_LEASE_TIME);
        }
        if (least != null && least.seconds() > longest) {
            return impossible(Option.Kind.MINIMUM_LEASE_TIME);
        }
        long leaseSeconds = time == null ? longest : Math.min(time.seconds(), longest);
        return withNumber(request, limits, new Times(start, delaySeconds, leaseSeconds));
    }

    private static Decision withNumber(Message request, Limits limits, Times times) {
        Option.NumberOfAddresses number = request.find(Option.NumberOfAddresses.class);
        if (number != null && number.desired() == 0) {
            return invalid(Option.Kind.NUMBER_OF_ADDRESSES);
        }
        int minimum = number == null ? 1 : Math.max(1, number.minimum());
        int desired = Math.min(number == null ? 1 : number.desired(), limits.mostAddresses());
        if (minimum > desired) {
            return impossible(Option.Kind.NUMBER_OF_ADDRESSES);
        }
        return new Decision.Possible(
                new LeaseTerms(
                        times.start(),
                        times.delaySeconds(),
                        times.leaseSeconds(),
                        minimum,
                        desired));
    }

    /**
     * What is wrong with the start. Whether the latest start has passed is judged by the earlier of
     * both clocks: a client whose clock is a little behind means "now".
     */
    private static @Nullable MadcapError startFault(Message request, long nowEpochSeconds) {
        Option.StartTime start = request.find(Option.StartTime.class);
        Option.MaximumStartTime latest = request.find(Option.MaximumStartTime.class);
        Option.CurrentTime theirs = request.find(Option.CurrentTime.class);
        if (latest == null) {
            return null;
        }
        if (start != null && start.epochSeconds() > latest.epochSeconds()) {
            return new MadcapError.InvalidRequest(Option.Kind.MAXIMUM_START_TIME.code());
        }
        long earlier =
                theirs == null ? nowEpochSeconds : Math.min(nowEpochSeconds, theirs.epochSeconds());
        return latest.epochSeconds() < earlier
                ? new MadcapError.CouldNotBeCompleted(Option.Kind.MAXIMUM_START_TIME.code())
                : null;
    }

    private static Decision invalid(Option.Kind kind) {
        return new Decision.Impossible(new MadcapError.InvalidRequest(kind.code()));
    }

    private static Decision impossible(Option.Kind kind) {
        return new Decision.Impossible(new MadcapError.CouldNotBeCompleted(kind.code()));
    }
}
