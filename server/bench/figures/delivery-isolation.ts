import type { Figure } from "../figure.ts";
import { median } from "../pairs.ts";
import { happen, type Manner, type Receiver, startReceiver, subscribe } from "./delivery-receiver.ts";
import { type Call, clientOf } from "./tasks-service.ts";

const [all, hanging, failing] = [1_000, 50, 50];
const pathOf = (at: number): string => `/${at}`;
const healthy = Array.from({ length: all - hanging - failing }, (_, at) => pathOf(hanging + failing + at));
const illManner = (path: string): Manner => {
  const at = Number(path.slice(1));
  return at < hanging ? "hang" : at < hanging + failing ? "fail" : "take";
};

/** What endpoints that hang and fail cost the others: the same endpoints in turn, all of them well, and a tenth of them ill. */
export const deliveryIsolation: Figure = {
  name: "delivery-isolation",
  title: "1,000 endpoints of which 50 hang and 50 fail: how much later the others hear",
  run: (bench) =>
    bench.withService(async (service) => {
      const events = bench.quick ? 4 : 12;
      const { call, close } = clientOf(service);
      const receiver = await startReceiver();
      try {
        await subscribe(
          call,
          receiver,
          Array.from({ length: all }, (_, at) => pathOf(at)),
        );
        bench.say(
          `  ${events} events a run, each to ${all.toLocaleString("en")} endpoints, the next when the ${healthy.length} healthy ones have it; mean time until they do, ${bench.pairs} pairs of runs in turn, median of their ratios`,
        );
        await delay(call, receiver, 2);
        const ratios: number[] = [];
        for (let pair = 0; pair < bench.pairs; pair++) {
          receiver.behave(() => "take");
          const well = await delay(call, receiver, events);
          receiver.behave(illManner);
          const ill = await delay(call, receiver, events);
          ratios.push(ill / well);
          bench.say(`  all well ${well.toFixed(0)} ms, a tenth ill ${ill.toFixed(0)} ms: ${(ill / well).toFixed(3)}`);
        }
        receiver.behave(() => "take");
        const added = 100 * (median(ratios) - 1);
        bench.say(`  added delay ${added.toFixed(1)} %`);
        return [
          {
            what: "time until they have it, against all well",
            value: median(ratios),
            unit: "×",
            bar: 1.1,
            aim: 1.03,
            better: "lower",
          },
        ];
      } finally {
        receiver.behave(() => "take");
        close();
        await receiver.close();
      }
    }),
};

/** The mean time from an event until a healthy endpoint has it (milliseconds). */
async function delay(call: Call, receiver: Receiver, events: number): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < events; i++) {
    const { task, answered } = await happen(call);
    const arrived = (): number[] => healthy.flatMap((path) => receiver.arrivals.get(path)?.get(task) ?? []);
    for (
      const limit = performance.now() + 60_000;
      arrived().length < healthy.length;
      await new Promise((resolve) => setTimeout(resolve, 5))
    ) {
      if (performance.now() > limit)
        throw new Error(`${arrived().length} of ${healthy.length} healthy endpoints have the event after a minute`);
    }
    times.push(...arrived().map((at) => Math.max(0, at - answered)));
  }
  return times.reduce((sum, time) => sum + time, 0) / times.length;
}
