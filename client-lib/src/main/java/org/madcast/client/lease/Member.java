package org.madcast.client.lease;

import java.net.InetSocketAddress;

/**
 * What a rank tells the others about itself when they meet.
 *
 * @param rank its number
 * @param endpoint where its unicast datagrams arrive
 * @param receiveBufferBytes what the kernel granted its multicast socket, in bytes
 * @param datagramBytes the largest datagram that its interface carries whole, in bytes of UDP
 *     payload
 */
public record Member(
        int rank, InetSocketAddress endpoint, int receiveBufferBytes, int datagramBytes) {}
