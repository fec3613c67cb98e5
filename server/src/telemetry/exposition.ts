import { collectDefaultMetrics, type Metric, Registry } from "prom-client";
import type { Gathered } from "./meter.ts";

// Loaded when metrics are first asked for.

export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

/**
 * Returns what writes the metrics in Prometheus's text format, with those of Node and the process. `failed` gets the name of a gauge that could not be read; the
 * others are written.
 */
export function createExposition(
  gathered: readonly Gathered[],
  failed: (name: string) => void,
): () => Promise<Exposition> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  let registered = 0;
  return async () => {
    for (; registered < gathered.length; registered++)
      registry.registerMetric(adapted(gathered[registered] as Gathered, failed));
    return { contentType: registry.contentType, text: await registry.metrics() };
  };
}

/** A metric of ours as the registry reads it: by `get`. */
function adapted({ spec: { name, help }, type, samples }: Gathered, failed: (name: string) => void): Metric {
  const get = async () => {
    const values = await samples().catch(() => {
      failed(name);
      return [];
    });
    return { name, help, type, aggregator: "sum", values };
  };
  return { name, get, reset: () => undefined } as unknown as Metric;
}
