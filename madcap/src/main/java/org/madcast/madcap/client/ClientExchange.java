package org.madcast.madcap.client;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.madcast.madcap.MadcapError;
import org.madcast.madcap.Message;
import org.madcast.madcap.MessageType;
import org.madcast.madcap.NetAddress;
import org.madcast.madcap.Option;
import org.madcast.madcap.codec.DecodeResult;
import org.madcast.madcap.codec.MadcapDecoder;
import org.madcast.madcap.codec.MadcapEncoder;

/**
 * One exchange of a client with its servers (RFC 2730, sections 2.2 to 2.5 and 2.13), as a state
 * machine over time and bytes: it has no socket, thread or clock. A driver sends what {@link
 * #pollTransmit} gives to {@link #destination}, from one socket; hands over what comes to that
 * socket; and polls again when {@link #nextDeadlineNs} is reached. Times are of one monotonic clock
 * in nanoseconds, which may start anywhere. To be used by one thread at a time.
 *
 * <pre>{@code
 * ASKING ----- first offer, or first answer from a group, or a NAK from a group ----> COLLECTING
 *   |  ^                                                                                |
 *   |  +---------- DISCOVER's offers are in: REQUEST with the chosen server's name -----+
 *   |  +---------- the server's time to ask again has come: a new xid ---- POSTPONED <--- ACK
 *   |  +---------- NAK, or 60 s without answer, and another server is left: a new xid
 *   +------------- answered, refused or out of time ----------------------> ENDED
 * }</pre>
 *
 * <p>Invariants: one message is outstanding at a time, and all its transmissions are the same
 * bytes; after a NAK to a message it is not sent again, though others of a group may still answer
 * it for one retransmission timer; the xid of a DISCOVER is that of its REQUEST, which are one
 * transaction (section 2.5); each further attempt takes the next xid. Attempts that are not the
 * first say the current time anew, if they say it at all, lest the server find the clocks apart.
 *
 * <p>An exchange never asks a server about a lease of another one unless the request requires
 * Server Mobility (sections 2.2.7 and 2.2.8).
 */
public final class ClientExchange {

    /** What {@link #nextDeadlineNs} says when there is nothing to wait for. */
    public static final long NO_DEADLINE = Long.MAX_VALUE;

    /** The last second that MADCAP can express, in the year 2106. */
    private static final long LAST_EPOCH_SECOND = 0xffff_ffffL;

    private enum State {
        ASKING,
        COLLECTING,
        POSTPONED,
        ENDED
    }

    private final List<ServerEndpoint> servers;
    private final ExchangeSettings settings;
    private final Message first;
    private final long startNs;
    private final Queue<ExchangeEvent> events = new ArrayDeque<>();
    private final Map<Ignored, Long> ignored = new EnumMap<>(Ignored.class);
    private final List<Message> answers = new ArrayList<>();

    private State state = State.ASKING;
    private int serverIndex;
    private int nextXid;
    private Message outstanding;
    private PendingMessage transmission;
    private @Nullable Message lastNak;

    /** When COLLECTING ends, or POSTPONED. */
    private long wakeNs;

    /**
     * Makes ready to send at once.
     *
     * @param request DISCOVER, which gets a lease from the server that offers one, REQUEST, RENEW,
     *     RELEASE or GETINFO; its xid should be unlikely to be anybody's (section 2.1.4)
     * @param servers whom to ask, one after the other; groups for DISCOVER and GETINFO only
     * @throws IllegalArgumentException when the request breaks the rules of RFC 2730, or the
     *     servers do not fit it
     */
    public ClientExchange(
            Message request, List<ServerEndpoint> servers, ExchangeSettings settings, long nowNs) {
        RequestCheck.check(request, servers);
        this.servers = List.copyOf(servers);
        this.settings = settings;
        this.first = request;
        this.startNs = nowNs;
        this.nextXid = request.xid() + 1;
        this.outstanding = request;
        this.transmission =
                new PendingMessage(MadcapEncoder.encode(request), settings.schedule(), nowNs);
    }

    /** When to poll at the latest; {@link #NO_DEADLINE} at the end. */
    public long nextDeadlineNs() {
        return switch (state) {
            case ASKING -> transmission.deadlineNs();
            case COLLECTING, POSTPONED -> wakeNs;
            case ENDED -> NO_DEADLINE;
        };
    }

    /**
     * Does what is due and gives the datagram to send, if any, for {@link #destination}.
     *
     * @param out gets the datagram from its position on, which moves behind it
     * @return the datagram's length in bytes, 0 when there is nothing to send
     * @throws IllegalArgumentException when there is no room for the datagram, which stays due
     */
    public int pollTransmit(long nowNs, ByteBuffer out) {
        advance(nowNs);
        if (state != State.ASKING || !transmission.isDue(nowNs)) {
            return 0;
        }
        byte[] bytes = transmission.bytes();
        if (bytes.length > out.remaining()) {
            throw new IllegalArgumentException(
                    "A datagram of " + bytes.length + " bytes, room for " + out.remaining());
        }
        out.put(bytes);
        boolean isFirst = transmission.sentCount() == 0;
        transmission.sent(nowNs);
        if (!isFirst) {
            events.add(new ExchangeEvent.Retransmitted(transmission.sentCount() - 1));
        }
        return bytes.length;
    }

    /** Where the datagram goes that {@link #pollTransmit} gave last. */
    public ServerEndpoint destination() {
        return servers.get(serverIndex);
    }

    /** Takes a datagram, which may be anything; the buffer is left unchanged. */
    public void onDatagram(long nowNs, ByteBuffer datagram) {
        boolean isOutstanding = state == State.ASKING || state == State.COLLECTING;
        if (!isOutstanding || transmission.sentCount() == 0) {
            ignore(Ignored.NOTHING_OUTSTANDING);
            return;
        }
        switch (MadcapDecoder.decode(datagram)) {
            case DecodeResult.Decoded(Message message) ->
                    ReplyCheck.fault(outstanding, message)
                            .ifPresentOrElse(this::ignore, () -> onReply(nowNs, message));
            case DecodeResult.Invalid _, DecodeResult.Rejected _ -> ignore(Ignored.UNREADABLE);
        }
    }

    /** The next event, null when there is none. */
    public @Nullable ExchangeEvent pollEvent() {
        return events.poll();
    }

    /** Whether nothing will be sent any more; events may still be there to be polled. */
    public boolean isEnded() {
        return state == State.ENDED;
    }

    /** Ends without an outcome. What a server may have granted already stays granted. */
    public void abandon() {
        state = State.ENDED;
    }

    /** The xid after all that were used, for the client's next exchange (section 2.1.4). */
    public int nextXid() {
        return nextXid;
    }

    /** How many datagrams were ignored, and why; a copy. */
    public Map<Ignored, Long> ignored() {
        return Map.copyOf(ignored);
    }

    private void advance(long nowNs) {
        switch (state) {
            case ASKING -> {
                if (transmission.isOver(nowNs)) {
                    askNextServer(nowNs, new ExchangeEvent.NoResponse());
                }
            }
            case COLLECTING -> {
                if (nowNs - wakeNs >= 0) {
                    collected(nowNs);
                }
            }
            case POSTPONED -> {
                if (nowNs - wakeNs >= 0) {
                    ask(nowNs, again(outstanding, nowNs));
                }
            }
            case ENDED -> {}
        }
    }

    private void onReply(long nowNs, Message reply) {
        if (reply.type() == MessageType.NAK) {
            onNak(nowNs, reply);
            return;
        }
        switch (outstanding.type()) {
            case DISCOVER, GETINFO -> onAnswer(nowNs, reply);
            case REQUEST, RENEW -> {
                if (ReplyCheck.isPostponement(reply)) {
                    postpone(nowNs, reply);
                } else {
                    end(new ExchangeEvent.Granted(Grants.lease(reply)));
                }
            }
            case RELEASE -> end(new ExchangeEvent.Released(serverOf(reply)));
            case OFFER, ACK, NAK -> throw new IllegalStateException("Outstanding: " + outstanding);
        }
    }

    /** After a NAK never again; but another server of a group may still be willing. */
    private void onNak(long nowNs, Message nak) {
        lastNak = nak;
        boolean othersMayAnswer =
                destination().isGroup() && outstanding.type() != MessageType.REQUEST;
        if (othersMayAnswer) {
            collect(nowNs);
        } else {
            askNextServer(nowNs, refusal(nak));
        }
    }

    private void onAnswer(long nowNs, Message answer) {
        NetAddress serverId = serverOf(answer);
        if (answers.stream().anyMatch(earlier -> serverId.equals(serverOf(earlier)))) {
            ignore(Ignored.REPEATED);
            return;
        }
        answers.add(answer);
        boolean isEnough =
                outstanding.type() == MessageType.DISCOVER
                        ? settings.offerChoice().takeAtOnce(outstanding, answer)
                        : !destination().isGroup();
        if (!isEnough) {
            collect(nowNs);
        } else if (outstanding.type() == MessageType.DISCOVER) {
            take(nowNs, answer);
        } else {
            end(new ExchangeEvent.Informed(answers));
        }
    }

    /** Waits for more answers, from the first on as long as the retransmission timer was set. */
    private void collect(long nowNs) {
        if (state == State.ASKING) {
            state = State.COLLECTING;
            wakeNs = nowNs + transmission.currentDelay().toNanos();
        }
    }

    private void collected(long nowNs) {
        if (answers.isEmpty()) {
            Message nak = lastNak;
            askNextServer(nowNs, nak == null ? new ExchangeEvent.NoResponse() : refusal(nak));
        } else if (outstanding.type() == MessageType.DISCOVER) {
            take(nowNs, settings.offerChoice().choose(outstanding, List.copyOf(answers)));
        } else {
            end(new ExchangeEvent.Informed(answers));
        }
    }

    private void take(long nowNs, Message offer) {
        events.add(new ExchangeEvent.OfferTaken(offer, answers.size()));
        Message request =
                timed(outstanding, nowNs)
                        .as(MessageType.REQUEST)
                        .with(new Option.ServerIdentifier(serverOf(offer)));
        ask(nowNs, request);
    }

    private void postpone(long nowNs, Message ack) {
        Duration delay = Grants.retryDelay(ack, settings.shortestRetryDelay());
        events.add(new ExchangeEvent.Postponed(serverOf(ack), delay));
        state = State.POSTPONED;
        wakeNs = nowNs + delay.toNanos();
    }

    private void askNextServer(long nowNs, ExchangeEvent.Outcome otherwise) {
        if (serverIndex + 1 == servers.size()) {
            end(otherwise);
            return;
        }
        serverIndex++;
        events.add(new ExchangeEvent.NextServer(destination()));
        ask(nowNs, again(first, nowNs));
    }

    private void ask(long nowNs, Message message) {
        state = State.ASKING;
        outstanding = message;
        answers.clear();
        lastNak = null;
        transmission =
                new PendingMessage(MadcapEncoder.encode(message), settings.schedule(), nowNs);
    }

    private Message again(Message message, long nowNs) {
        return timed(message, nowNs).withXid(nextXid++);
    }

    /** The message with its current time, if it says one, moved on since the exchange began. */
    private Message timed(Message message, long nowNs) {
        Option.CurrentTime atStart = first.find(Option.CurrentTime.class);
        if (atStart == null) {
            return message;
        }
        long elapsedSeconds = Duration.ofNanos(nowNs - startNs).toSeconds();
        long seconds = Math.min(atStart.epochSeconds() + elapsedSeconds, LAST_EPOCH_SECOND);
        return message.with(new Option.CurrentTime(seconds));
    }

    private void end(ExchangeEvent.Outcome outcome) {
        state = State.ENDED;
        events.add(outcome);
    }

    private void ignore(Ignored reason) {
        ignored.merge(reason, 1L, Long::sum);
    }

    private static ExchangeEvent.Refused refusal(Message nak) {
        Option.ErrorOption error = nak.find(Option.ErrorOption.class);
        return new ExchangeEvent.Refused(
                serverOf(nak), MadcapError.of(Objects.requireNonNull(error)));
    }

    private static NetAddress serverOf(Message checkedReply) {
        return Objects.requireNonNull(checkedReply.serverId());
    }
}
