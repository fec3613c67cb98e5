import type { Figure } from "../figure.ts";
import { happen, startReceiver, subscribe } from "./delivery-receiver.ts";
import { clientOf, quantile } from "./tasks-service.ts";

const warmUp = 20;

/** How long it takes until an endpoint hears of what happened, when nothing else is to be done. */
export const deliveryLatency: Figure = {
  name: "delivery-latency",
  title: "one event at a time: from the answer of the call that caused it until its endpoint has it",
  run: (bench) =>
    bench.withService(async (service) => {
      const events = bench.quick ? 60 : 400;
      const { call, close } = clientOf(service);
      const receiver = await startReceiver();
      try {
        await subscribe(call, receiver, ["/one"]);
        bench.say(
          `  ${events} events one by one after ${warmUp} to warm up; one endpoint on this machine, one process of role all; a dispatch that waits for people, answered right after its commit`,
        );
        const times: number[] = [];
        for (let i = 0; i < warmUp + events; i++) {
          const { task, answered } = await happen(call);
          const at = await receiver.arrival("/one", task);
          if (i >= warmUp) times.push(Math.max(0, at - answered));
        }
        bench.say(`  fastest ${Math.min(...times).toFixed(1)}, slowest ${Math.max(...times).toFixed(1)} ms`);
        return [
          {
            what: "event to endpoint, p50",
            value: quantile(times, 0.5),
            unit: "ms",
            bar: 40,
            aim: 15,
            better: "lower",
          },
          {
            what: "event to endpoint, p99",
            value: quantile(times, 0.99),
            unit: "ms",
            bar: 150,
            aim: 50,
            better: "lower",
          },
        ];
      } finally {
        close();
        await receiver.close();
      }
    }),
};
