import type { Counter, GaugeReader, Histogram, Meter, MetricSpec, Reading } from "../kernel/metrics.ts";

/** One value as Prometheus knows it; `name` where it is not the metric's own (`…_bucket`). */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric with its present samples. */
export interface Gathered {
  readonly spec: MetricSpec;
  readonly type: "counter" | "gauge" | "histogram";
  samples(): Promise<readonly Sample[]>;
}

export interface OwnMeter extends Meter {
  /** All metrics, in the order in which they were entered. */
  readonly gathered: readonly Gathered[];
}

const usualMost = 500;
const label = /^[a-z][a-z_]*$/;

/**
 * The metrics of one process. Telling one takes a look into a map and an addition: the library that writes them out, which takes a microsecond for each, is
 * loaded when they are asked for.
 */
export function createMeter(): OwnMeter {
  const gathered: Gathered[] = [];
  const names = new Set<string>();
  const enter = <T extends Gathered>(metric: T): T => {
    const { name, labels } = metric.spec;
    if (names.has(name)) throw new Error(`the metric ${name} is entered twice`);
    if (!/^aos_[a-z0-9_]+$/.test(name)) throw new Error(`the metric ${name} does not begin with aos_`);
    if (!labels.every((one) => label.test(one) && one !== "le"))
      throw new Error(`the metric ${name} has a label that it may not have`);
    names.add(name);
    gathered.push(metric);
    return metric;
  };
  return {
    gathered,
    counter: (spec) => enter(new OwnCounter(spec)),
    histogram: (spec) => enter(new OwnHistogram(spec)),
    gauge: (spec, read) => void enter(new OwnGauge(spec, read)),
  };
}

/** What is kept of a metric by the values of its labels, so many sets of them at most. */
class Cells<T> {
  readonly #spec: MetricSpec;
  readonly #make: () => T;
  readonly #cells = new Map<string, { readonly labels: readonly string[]; readonly cell: T }>();
  readonly #most: number;

  constructor(spec: MetricSpec, make: () => T) {
    this.#spec = spec;
    this.#make = make;
    this.#most = spec.most ?? usualMost;
    if (spec.labels.length === 0) this.of([]); // so that it is there before anything happened
  }

  of(labels: readonly string[]): T {
    const key = labels.length === 1 ? (labels[0] as string) : labels.join("\0");
    return (this.#cells.get(key) ?? this.#enter(key, labels)).cell;
  }

  #enter(key: string, labels: readonly string[]) {
    if (labels.length !== this.#spec.labels.length)
      throw new TypeError(`${this.#spec.name} has ${this.#spec.labels.length} labels`);
    if (this.#cells.size >= this.#most) {
      const others = labels.map(() => "other");
      const known = this.#cells.get(others.join("\0"));
      if (known) return known;
      return this.#put(others.join("\0"), others);
    }
    return this.#put(key, [...labels]);
  }

  #put(key: string, labels: readonly string[]) {
    const entry = { labels, cell: this.#make() };
    this.#cells.set(key, entry);
    return entry;
  }

  *each(): Iterable<readonly [labels: Record<string, string>, cell: T]> {
    for (const { labels, cell } of this.#cells.values()) yield [named(this.#spec, labels), cell];
  }
}

function named({ labels }: MetricSpec, values: readonly string[]): Record<string, string> {
  return Object.fromEntries(labels.map((name, i) => [name, values[i] as string]));
}

class OwnCounter implements Gathered, Counter {
  readonly type = "counter";
  readonly spec: MetricSpec;
  readonly #cells: Cells<{ value: number }>;

  constructor(spec: MetricSpec) {
    this.spec = spec;
    this.#cells = new Cells(spec, () => ({ value: 0 }));
  }

  add(labels: readonly string[], amount = 1): void {
    if (amount >= 0) this.#cells.of(labels).value += amount;
  }

  async samples(): Promise<Sample[]> {
    return [...this.#cells.each()].map(([labels, { value }]) => ({ name: this.spec.name, labels, value }));
  }
}

interface Buckets {
  /** By bucket, the last one for what is beyond all bounds; not yet summed up. */
  readonly counts: Float64Array;
  sum: number;
}

class OwnHistogram implements Gathered, Histogram {
  readonly type = "histogram";
  readonly spec: MetricSpec;
  readonly #bounds: readonly number[];
  readonly #cells: Cells<Buckets>;

  constructor(spec: MetricSpec & { readonly buckets: readonly number[] }) {
    this.spec = spec;
    this.#bounds = spec.buckets;
    this.#cells = new Cells(spec, () => ({ counts: new Float64Array(spec.buckets.length + 1), sum: 0 }));
  }

  observe(labels: readonly string[], value: number): void {
    const { counts } = this.#add(labels, value);
    const bounds = this.#bounds;
    let place = 0;
    while (place < bounds.length && value > (bounds[place] as number)) place++;
    counts[place] = (counts[place] as number) + 1;
  }

  #add(labels: readonly string[], value: number): Buckets {
    const cell = this.#cells.of(labels);
    cell.sum += value;
    return cell;
  }

  async samples(): Promise<Sample[]> {
    const { name } = this.spec;
    return [...this.#cells.each()].flatMap(([labels, { counts, sum }]) => {
      let count = 0;
      const buckets = [...this.#bounds.map(String), "+Inf"].map((le, place) => {
        count += counts[place] as number;
        return { name: `${name}_bucket`, labels: { ...labels, le }, value: count };
      });
      return [...buckets, { name: `${name}_sum`, labels, value: sum }, { name: `${name}_count`, labels, value: count }];
    });
  }
}

class OwnGauge implements Gathered {
  readonly type = "gauge";
  readonly spec: MetricSpec;
  readonly #read: GaugeReader;

  constructor(spec: MetricSpec, read: GaugeReader) {
    this.spec = spec;
    this.#read = read;
  }

  async samples(): Promise<Sample[]> {
    const readings: readonly Reading[] = [...(await this.#read())].slice(0, this.spec.most ?? usualMost);
    return readings.map(([labels, value]) => ({ name: this.spec.name, labels: named(this.spec, labels), value }));
  }
}
