/**
 * The lab: a cluster inside one Linux machine. Network namespaces are the hosts, bridges with IGMP
 * and MLD snooping are the switches, veth pairs are the cables.
 *
 * <p>{@link org.madcast.lab.Lab#up} makes one, {@link org.madcast.lab.Lab#close} takes down exactly
 * what was made. {@link org.madcast.lab.LabCapability#check} says beforehand whether it can be done
 * here. All hosts share the machine's monotonic clock, so instants of different hosts compare.
 *
 * <p>What the kernel does that one should know:
 *
 * <ul>
 *   <li>A bridge floods multicast until its querier has waited one query response interval (10 s by
 *       default). The lab shortens that to 100 ms and waits for it, so that snooping holds from the
 *       first datagram on. Less than 100 ms would be announced as IGMPv1.
 *   <li>A join is known to the switches only after the kernel has sent its report, some
 *       milliseconds after the call; what is multicast before does not arrive. {@link
 *       org.madcast.lab.Lab#groups} shows when it is.
 *   <li>{@code net.core.rmem_max} is the machine's, read-only inside a namespace: a lab cannot
 *       raise it, only the machine's administrator can.
 *   <li>A datagram sent with segmentation offload crosses veth and bridge as one superframe, which
 *       a loss rule drops whole and a counter counts once. The lab therefore splits frames at the
 *       sender, like a wire, unless {@link org.madcast.lab.LabSpec#superframes} is set.
 * </ul>
 */
@NullMarked
package org.madcast.lab;

import org.jspecify.annotations.NullMarked;
