import { collectDefaultMetrics, type Metric, Registry } from "prom-client";
import type { Gathered } from "./meter.ts";

// Loaded when metrics are asked for, not before.

export interface Exposition {
  readonly contentType: string;
  text(): Promise<string>;
}

/**
 * Writes metrics in Prometheus's text format, with the basics of Node and the process besides. `failed` hears of a gauge that could not be read; the
 * others are answered.
 */
export function createExposition(
  gathered: readonly Gathered[],
  failed: (name: string, error: unknown) => void,
): Exposition {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  let entered = 0;
  const enterNew = (): void => {
    for (; entered < gathered.length; entered++)
      registry.registerMetric(adapted(gathered[entered] as Gathered, failed));
  };
  return {
    contentType: registry.contentType,
    async text() {
      enterNew();
      return registry.metrics();
    },
  };
}

/** A metric of ours as the registry takes it: it asks `get` for name, help, type and values. */
function adapted(metric: Gathered, failed: (name: string, error: unknown) => void): Metric {
  const { name, help } = metric.spec;
  const samples = async () => {
    try {
      return await metric.samples();
    } catch (error) {
      failed(name, error);
      return [];
    }
  };
  const get = async () => ({
    ...{ name, help, type: metric.type, aggregator: "sum" },
    values: (await samples()).map(({ name: metricName, labels, value }) => ({ metricName, labels, value })),
  });
  return { name, get, reset: () => undefined } as unknown as Metric;
}
