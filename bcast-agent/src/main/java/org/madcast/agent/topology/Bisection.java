package org.madcast.agent.topology;

import java.util.Arrays;
import java.util.Random;

/**
 * Effective bisection bandwidth (Hoefler, Schneider, Lumsdaine: "Multistage switches are not
 * crossbars"): the hosts are split at random into two halves, each host of one sends to its own
 * partner in the other, and a message gets of its busiest link the share that is left when all
 * messages on it get the same. The mean of these shares over all messages and many splits.
 */
final class Bisection {

    private final Fabric fabric;
    private final double[] shares;
    private final double[] means;

    private Bisection(Fabric fabric, double[] shares, double[] means) {
        this.fabric = fabric;
        this.shares = shares;
        this.means = means;
    }

    /** So many splits; the same seed leads to the same result. */
    static Bisection of(Fabric fabric, int splits, long seed) {
        int pairs = fabric.hosts() / 2;
        if (pairs == 0) {
            throw new IllegalArgumentException("one host has no partner");
        }
        double[] shares = new double[pairs];
        double[] means = new double[splits];
        double[] sums = new double[pairs];
        int[] hosts = new int[fabric.hosts()];
        Arrays.setAll(hosts, host -> host);
        Random random = new Random(seed);
        for (int split = 0; split < splits; split++) {
            shuffle(hosts, random);
            shares(fabric, hosts, split, shares);
            Arrays.sort(shares);
            for (int pair = 0; pair < pairs; pair++) {
                means[split] += shares[pair] / pairs;
                sums[pair] += shares[pair] / splits;
            }
        }
        Arrays.sort(means);
        return new Bisection(fabric, sums, means);
    }

    private static void shuffle(int[] hosts, Random random) {
        for (int i = hosts.length - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int host = hosts[i];
            hosts[i] = hosts[other];
            hosts[other] = host;
        }
    }

    /** Of each pair, of which the second half of the hosts are the receivers. */
    static void shares(Fabric fabric, int[] hosts, int flow, double[] into) {
        int[] uses = new int[fabric.links()];
        int[] route = new int[fabric.longestRoute()];
        int pairs = into.length;
        for (int pair = 0; pair < pairs; pair++) {
            int length = fabric.route(hosts[pair], hosts[pairs + pair], flow, route);
            for (int i = 0; i < length; i++) {
                uses[route[i]]++;
            }
        }
        for (int pair = 0; pair < pairs; pair++) {
            int length = fabric.route(hosts[pair], hosts[pairs + pair], flow, route);
            double share = 1;
            for (int i = 0; i < length; i++) {
                share = Math.min(share, fabric.capacity(route[i]) / uses[route[i]]);
            }
            into[pair] = share;
        }
    }

    Fabric fabric() {
        return fabric;
    }

    /** The effective bisection bandwidth: 1 when no message is disturbed. */
    double effective() {
        return Arrays.stream(means).average().orElse(0);
    }

    /** The mean of the worst and of the best split. */
    double worst() {
        return means[0];
    }

    double best() {
        return means[means.length - 1];
    }

    /** What a part of the messages, 0 to 1, has at most, in the mean over all splits. */
    double quantile(double part) {
        return shares[(int) Math.min(shares.length - 1, part * shares.length)];
    }
}
