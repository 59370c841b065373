package org.madcast.allocator.madcap;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.madcap.MadcapEvent.Fate;
import org.madcast.allocator.madcap.MadcapSockets.Place;
import org.madcast.allocator.madcap.MadcapSockets.Received;
import org.madcast.allocator.madcap.ResponseCache.Lookup;
import org.madcast.allocator.scope.ScopeCatalog;
import org.madcast.allocator.store.OnceAMinute;
import org.madcast.allocator.store.StoreClock;
import org.madcast.allocator.store.StoreGate;
import org.madcast.madcap.LeaseId;
import org.madcast.madcap.Message;
import org.madcast.madcap.NetAddress;
import org.madcast.madcap.Octets;
import org.madcast.madcap.codec.DecodeResult;
import org.madcast.madcap.codec.MadcapDecoder;
import org.madcast.madcap.codec.MadcapEncoder;
import org.madcast.madcap.server.Admission;
import org.madcast.madcap.server.ServerAdmission;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/**
 * Serves MADCAP (RFC 2730). One daemon thread receives; what has to look at the database is done on
 * virtual threads, a limited number at a time. Beyond the limits a request is met with silence, as
 * a lost one would be: clients send again.
 *
 * <p>Every few seconds the scopes and this host's addresses are looked at again; when what is
 * served has changed, or could not be served the last time, the sockets are opened anew.
 */
@Component
class MadcapServer implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(MadcapServer.class);
    private static final int CACHED_RESPONSES = 65_536;

    private final MadcapProperties properties;
    private final ScopeCatalog scopes;
    private final MadcapResponder responder;
    private final MadcapService leases;
    private final ApplicationEventPublisher events;
    private final StoreClock clock;
    private final StoreGate gate;
    private final NetworkList networks;
    private final RequestRate rate;
    private final ResponseCache cache;
    private final Semaphore pending;
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();

    private final OnceAMinute warning = new OnceAMinute();

    /** What is open at present. */
    private @Nullable Session session;

    private @Nullable Thread receiver;

    private List<String> lastComplaints = List.of();

    MadcapServer(
            MadcapProperties properties,
            ScopeCatalog scopes,
            MadcapResponder responder,
            MadcapService leases,
            StoreClock clock,
            StoreGate gate,
            ApplicationEventPublisher events) {
        this.properties = properties;
        this.clock = clock;
        this.gate = gate;
        this.scopes = scopes;
        this.responder = responder;
        this.leases = leases;
        this.events = events;
        MadcapProperties.Quota quota = properties.quota();
        this.networks = NetworkList.parse(properties.networks());
        this.rate = new RequestRate(quota.requestsPerSecond(), quota.burst());
        this.cache = new ResponseCache(properties.responseCache().toNanos(), CACHED_RESPONSES);
        this.pending = new Semaphore(quota.pending());
    }

    /** Sockets that are open, what they serve and where, and the rules of each own address. */
    private record Session(
            MadcapSockets sockets,
            ServedZones zones,
            Set<Place> places,
            Map<InetAddress, ServerAdmission> admissions) {}

    /** Opens the sockets, again when what is to be served has changed. */
    @Scheduled(fixedDelayString = "${madcast.madcap.refresh-interval:10s}")
    synchronized void refresh() {
        if (!properties.enabled() || workers.isShutdown()) {
            return;
        }
        ServedZones.Configured configured =
                ServedZones.of(scopes.all(), properties.scopes(), properties.nestedOrUsual());
        clock.read();
        try {
            Set<Place> places = places();
            if (isServing(configured.zones(), places)) {
                return;
            }
            close();
            complain(configured.complaints());
            open(configured.zones(), places);
        } catch (IOException impossible) {
            String cure = impossible instanceof BindException ? "; set madcast.madcap.port" : "";
            complain(
                    List.of(
                            "UDP port %d: %s%s, or set madcast.madcap.enabled=false"
                                    .formatted(properties.port(), impossible.getMessage(), cure)));
        }
    }

    /**
     * This host's addresses to serve. One that is new and cannot be listened on is left out for
     * now: the others are being served, and would not be.
     */
    private Set<Place> places() throws IOException {
        Set<Place> places = MadcapSockets.places(networks);
        Session present = session;
        if (present != null) {
            places.removeIf(
                    it -> !present.places().contains(it) && !MadcapSockets.isFree(it, port()));
        }
        return places;
    }

    private boolean isServing(ServedZones zones, Set<Place> places) {
        Session present = session;
        Thread receiving = receiver;
        return present != null
                && receiving != null
                && receiving.isAlive()
                && present.zones().equals(zones)
                && present.places().equals(places);
    }

    /** The port that is served, 0 when none is. */
    synchronized int port() {
        Session present = session;
        return present == null ? 0 : present.sockets().port();
    }

    @Override
    public synchronized void destroy() {
        workers.shutdown();
        close();
    }

    private void open(ServedZones zones, Set<Place> places) throws IOException {
        MadcapSockets sockets = MadcapSockets.open(places, properties.port(), zones.serverGroups());
        Map<InetAddress, ServerAdmission> admissions = new ConcurrentHashMap<>();
        for (InetAddress own : sockets.addresses()) {
            admissions.put(
                    own,
                    new ServerAdmission(
                            zones.policy(NetAddress.of(own), properties.clockSkewAllowance())));
        }
        Session opened = new Session(sockets, zones, Set.copyOf(places), admissions);
        session = opened;
        receiver = Thread.ofPlatform().name("madcap").daemon().start(() -> receive(opened));
        lastComplaints = List.of();
        LOG.info(
                "MADCAP on {} port {} and {}",
                sockets.addresses().stream().map(NetAddress::of).toList(),
                Integer.toString(sockets.port()),
                zones.serverGroups());
    }

    private void close() {
        Session present = session;
        session = null;
        if (present != null) {
            present.sockets().close();
        }
    }

    private void complain(List<String> complaints) {
        if (!complaints.isEmpty() && !complaints.equals(lastComplaints)) {
            complaints.forEach(it -> LOG.warn("No MADCAP for now: {}", it));
            lastComplaints = complaints;
        }
    }

    private void receive(Session session) {
        try {
            boolean open = true;
            while (open) {
                open = session.sockets().receive(datagram -> take(session, datagram));
            }
        } catch (IOException failure) {
            LOG.warn("MADCAP sockets failed, opening them again: {}", failure.getMessage());
            session.sockets().close();
        }
    }

    /** Whatever a datagram brings about, the next one is heard. */
    private void take(Session session, Received datagram) {
        try {
            onDatagram(session, datagram);
        } catch (RuntimeException unexpected) {
            tellSeldom(unexpected);
        }
    }

    private void onDatagram(Session session, Received datagram) {
        InetAddress source = datagram.source().getAddress();
        if (!networks.contains(source)) {
            tell(Fate.FOREIGN_NETWORK);
            return;
        }
        if (!rate.admits(source, System.nanoTime())) {
            tell(Fate.TOO_MANY);
            return;
        }
        DecodeResult decoded = MadcapDecoder.decode(datagram.bytes().toByteArray());
        ServerAdmission admission = session.admissions().get(datagram.home());
        if (admission == null) {
            throw new IllegalStateException("no rules for " + datagram.home());
        }
        switch (admission.judge(decoded, datagram.arrival(), clock.now().getEpochSecond())) {
            case Admission.Dropped _ -> tell(Fate.DROPPED);
            case Admission.Refused(Message nak) -> {
                tell(Fate.REFUSED);
                send(session, datagram, Octets.of(MadcapEncoder.encode(nak)));
            }
            case Admission.HoldEnded(LeaseId leaseId) ->
                    work(() -> {
                        leases.endHold(leaseId, NetAddress.of(datagram.home()).toString());
                        tell(Fate.HOLD_ENDED);
                    });
            case Admission.Admitted(Message request) -> serve(session, datagram, request);
        }
    }

    private void serve(Session session, Received datagram, Message request) {
        LeaseId leaseId = request.leaseId();
        if (leaseId == null) {
            throw new IllegalStateException("admitted without a lease identifier");
        }
        ResponseCache.Key key =
                new ResponseCache.Key(datagram.source(), request.xid(), request.type(), leaseId);
        switch (cache.takeUp(key, System.nanoTime())) {
            case Lookup.Silent() -> tell(Fate.REPEATED);
            case Lookup.Known(Octets response) -> {
                tell(Fate.REPEATED);
                send(session, datagram, response);
            }
            case Lookup.New() -> {
                boolean begun = work(() -> answer(session, datagram, request, key));
                if (!begun) {
                    cache.forget(key);
                }
            }
        }
    }

    private void answer(
            Session session, Received datagram, Message request, ResponseCache.Key key) {
        boolean answered = false;
        try {
            NetAddress serverId = NetAddress.of(datagram.home());
            Message reply =
                    responder.answer(
                            request, session.zones(), serverId, datagram.source().getAddress());
            Octets bytes = Octets.of(MadcapEncoder.encode(reply));
            cache.put(key, bytes);
            answered = true;
            tell(Fate.of(reply.type()));
            send(session, datagram, bytes);
        } finally {
            if (!answered) {
                cache.forget(key);
            }
        }
    }

    /** Runs work on a thread of its own unless there is too much of it; false when there is. */
    private boolean work(Runnable work) {
        if (!pending.tryAcquire()) {
            tell(Fate.TOO_MANY);
            return false;
        }
        workers.execute(() -> {
            try (StoreGate.Visit _ = gate.visit()) {
                work.run();
            } catch (DataAccessException | TransactionException storeTrouble) {
                tell(Fate.STORE_AWAY);
                LOG.debug("MADCAP request not served", storeTrouble);
            } catch (RuntimeException unexpected) {
                tellSeldom(unexpected);
            } finally {
                pending.release();
            }
        });
        return true;
    }

    /** Anybody can send a datagram, so what one of them brings about is not logged for each. */
    private void tellSeldom(RuntimeException unexpected) {
        if (warning.isDue()) {
            LOG.warn("MADCAP request not served", unexpected);
        } else {
            LOG.debug("MADCAP request not served", unexpected);
        }
    }

    private void send(Session session, Received datagram, Octets bytes) {
        try {
            session.sockets().send(datagram.home(), datagram.source(), bytes);
        } catch (IOException unreachable) {
            tell(Fate.UNSENT);
            LOG.debug("No MADCAP reply to {}", datagram.source(), unreachable);
        }
    }

    private void tell(Fate fate) {
        events.publishEvent(new MadcapEvent(fate));
    }
}
