import type { Bench, Figure, Result } from "../figure.ts";
import { median } from "../pairs.ts";
import type { Service } from "../service.ts";
import { happen, type Receiver, startReceiver, subscribe } from "./delivery-receiver.ts";
import { processorTime } from "./tasks-processor.ts";
import { type Call, clientOf } from "./tasks-service.ts";

/** Deliveries a second, to one endpoint and to a hundred, of events that have happened already: what waits is fetched, signed, sent, answered and recorded. */
export const deliveryThroughput: Figure = {
  name: "delivery-throughput",
  title: "deliveries a second to one endpoint, and to 100",
  run: async (bench) => [
    ...(await measured(bench, 1, bench.quick ? 1_000 : 5_000)),
    ...(await measured(bench, 100, bench.quick ? 20 : 100)),
  ],
};

const measured = (bench: Bench, endpoints: number, events: number): Promise<Result[]> =>
  bench.withService(async (service) => {
    const { call, close } = clientOf(service);
    const receiver = await startReceiver();
    try {
      await dispatchAll(call, events);
      const there = await untilQuiet(service);
      bench.say(
        `  ${there.toLocaleString("en")} events to ${endpoints} endpoint${endpoints === 1 ? "" : "s"} by recovery, first to last arrival, ${bench.pairs} runs, median; one process of role all, the receiver in the bench's process`,
      );
      const rates: number[] = [];
      const before = await processorTime(service);
      for (let run = 0; run < bench.pairs; run++)
        rates.push(await wave(call, receiver, { run, endpoints, events: there }));
      const after = await processorTime(service);
      bench.say(`  single runs: ${rates.map((rate) => rate.toFixed(0)).join(", ")}/s`);
      const to = endpoints === 1 ? "one endpoint" : `${endpoints} endpoints`;
      const rate: Result = {
        what: `deliveries, ${to}`,
        value: median(rates),
        unit: "/s",
        bar: 800,
        aim: 2_000,
        better: "higher",
      };
      if (!before || !after) return [rate];
      const each = (seconds: number): number => (1e6 * seconds) / (bench.pairs * endpoints * there);
      const told = { unit: "µs", bar: null, aim: null, better: "lower" } as const;
      return [
        rate,
        { what: `processor time a delivery, service, ${to}`, value: each(after.service - before.service), ...told },
        { what: `processor time a delivery, database, ${to}`, value: each(after.database - before.database), ...told },
      ];
    } finally {
      close();
      await receiver.close();
    }
  });

/** New endpoints that are sent all that happened. */
async function wave(
  call: Call,
  receiver: Receiver,
  { run, endpoints, events }: { run: number; endpoints: number; events: number },
) {
  receiver.forget();
  const ids = await subscribe(
    call,
    receiver,
    Array.from({ length: endpoints }, (_, at) => `/${run}-${at}`),
  );
  const since = new Date(0).toISOString();
  await Promise.all(ids.map((id) => call("POST", `/v1/webhooks/${id}/recover`, { since })));
  await receiver.until(endpoints * events);
  const times = [...receiver.arrivals.values()].flatMap((of) => [...of.values()]);
  const rate = (times.length - 1) / ((Math.max(...times) - Math.min(...times)) / 1000);
  for (const id of ids) await call("DELETE", `/v1/webhooks/${id}`, {});
  return rate;
}

/** Has events happen, over a few connections: a service that is short of time refuses, and is asked again. */
async function dispatchAll(call: Call, events: number): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < events) {
      next++;
      await happen(call).catch((error: Error) => {
        if (!error.message.includes("answered 503")) throw error;
        next--;
      });
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
}

/** Waits until all events have their sequence, so that nothing else is at work. Answers how many beginnings of tasks there are. */
async function untilQuiet({ pool }: Service): Promise<number> {
  for (
    const limit = Date.now() + 300_000;
    Date.now() < limit;
    await new Promise((resolve) => setTimeout(resolve, 100))
  ) {
    const { rows } = await pool.query<{ late: number; begun: number }>(
      `select (select count(*)::int from events) - (select count(*)::int from event_positions) as late,
         (select count(*)::int from events where type = 'task.created') as begun`,
    );
    if (rows[0]?.late === 0) return rows[0].begun;
  }
  throw new Error("events had no sequence after five minutes");
}
