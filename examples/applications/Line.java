/** Transforms lines of complex numbers, real and imaginary part in turn; one thread at a time. */
final class Line {

    private final int size;
    private final double[] roots;
    private final double[] line;

    /** For lines of so many numbers, a power of two. */
    Line(int size) {
        this.size = size;
        roots = new double[size];
        line = new double[2 * size];
        for (int i = 0; i < size / 2; i++) {
            roots[2 * i] = Math.cos(2 * Math.PI * i / size);
            roots[2 * i + 1] = -Math.sin(2 * Math.PI * i / size);
        }
    }

    /** Transforms in place the numbers from {@code start} on, each {@code stride} after the one before. */
    void transform(double[] data, int start, int stride) {
        int shift = Integer.numberOfLeadingZeros(size) + 1;
        for (int i = 0; i < size; i++) {
            int from = 2 * (start + (Integer.reverse(i) >>> shift) * stride);
            line[2 * i] = data[from];
            line[2 * i + 1] = data[from + 1];
        }
        for (int half = 1; half < size; half *= 2) {
            for (int block = 0; block < size; block += 2 * half) {
                for (int i = 0; i < half; i++) {
                    butterfly(2 * (block + i), 2 * (block + i + half), i * (size / half));
                }
            }
        }
        for (int i = 0; i < size; i++) {
            int to = 2 * (start + i * stride);
            data[to] = line[2 * i];
            data[to + 1] = line[2 * i + 1];
        }
    }

    private void butterfly(int low, int high, int root) {
        double real = line[high] * roots[root] - line[high + 1] * roots[root + 1];
        double imaginary = line[high] * roots[root + 1] + line[high + 1] * roots[root];
        line[high] = line[low] - real;
        line[high + 1] = line[low + 1] - imaginary;
        line[low] += real;
        line[low + 1] += imaginary;
    }
}
