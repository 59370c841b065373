package org.madcast.allocator.madcap;

import java.net.InetAddress;
import java.util.List;
import org.madcast.madcap.Octets;

/** Networks by their prefixes, IPv4 and IPv6. Immutable. No name is ever looked up. */
final class NetworkList {

    private record Network(Octets prefix, int bits) {

        boolean contains(Octets address) {
            if (address.lengthBytes() != prefix.lengthBytes()) {
                return false;
            }
            int wholeBytes = bits / 8;
            for (int i = 0; i < wholeBytes; i++) {
                if (address.at(i) != prefix.at(i)) {
                    return false;
                }
            }
            int rest = bits % 8;
            int mask = 0xff00 >> rest & 0xff;
            return rest == 0 || ((address.at(wholeBytes) ^ prefix.at(wholeBytes)) & mask) == 0;
        }
    }

    private final List<Network> networks;

    private NetworkList(List<Network> networks) {
        this.networks = networks;
    }

    /**
     * Reads prefixes such as {@code 10.0.0.0/8}, or single addresses.
     *
     * @throws IllegalArgumentException naming the text that is neither
     */
    static NetworkList parse(List<String> texts) {
        return new NetworkList(texts.stream().map(NetworkList::parse).toList());
    }

    private static Network parse(String text) {
        String trimmed = text.trim();
        int slash = trimmed.indexOf('/');
        byte[] address = literal(slash < 0 ? trimmed : trimmed.substring(0, slash), text);
        int most = address.length * 8;
        int bits = slash < 0 ? most : number(trimmed.substring(slash + 1), text);
        if (bits > most) {
            throw new IllegalArgumentException("no network: " + text);
        }
        return new Network(Octets.of(address), bits);
    }

    private static byte[] literal(String address, String text) {
        try {
            return InetAddress.ofLiteral(address).getAddress();
        } catch (IllegalArgumentException notLiteral) {
            throw new IllegalArgumentException("no network: " + text, notLiteral);
        }
    }

    private static int number(String digits, String text) {
        if (!digits.matches("\\d{1,3}")) {
            throw new IllegalArgumentException("no network: " + text);
        }
        return Integer.parseInt(digits);
    }

    /** Whether an address is in one of them. */
    boolean contains(InetAddress address) {
        Octets bytes = Octets.of(address.getAddress());
        return networks.stream().anyMatch(network -> network.contains(bytes));
    }
}
