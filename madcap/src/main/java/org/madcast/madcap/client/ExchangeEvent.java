package org.madcast.madcap.client;

import java.time.Duration;
import java.util.List;
import org.madcast.madcap.MadcapError;
import org.madcast.madcap.Message;
import org.madcast.madcap.NetAddress;

/** What a {@link ClientExchange} reports. An {@link Outcome} is the last event. */
public sealed interface ExchangeEvent {

    /** The end of an exchange. */
    sealed interface Outcome extends ExchangeEvent {}

    /** REQUEST or RENEW succeeded. */
    record Granted(GrantedLease lease) implements Outcome {}

    /** RELEASE succeeded. */
    record Released(NetAddress serverId) implements Outcome {}

    /** The answers to GETINFO, one from each server, in the order of their coming; not empty. */
    record Informed(List<Message> answers) implements Outcome {
        public Informed {
            answers = List.copyOf(answers);
        }
    }

    /** A server said no, and none that was left to ask said yes. */
    record Refused(NetAddress serverId, MadcapError error) implements Outcome {}

    /** The time is over and no server answered. */
    record NoResponse() implements Outcome {}

    /** The same bytes were sent again, this many times by now. */
    record Retransmitted(int times) implements ExchangeEvent {}

    /** An offer was chosen out of some; its server is asked for a lease now. */
    record OfferTaken(Message offer, int outOf) implements ExchangeEvent {}

    /** The server wants to be asked again, and will be after this time. */
    record Postponed(NetAddress serverId, Duration delay) implements ExchangeEvent {}

    /** One server was of no avail; this one is asked now. */
    record NextServer(ServerEndpoint server) implements ExchangeEvent {}
}
