import { dispatchBody } from "../bodies.ts";
import type { Figure, Result } from "../figure.ts";
import { median } from "../pairs.ts";
import type { Service } from "../service.ts";

const recorded = 10_000;

/** A condition that reads the input, and one that has it scanned for data besides. */
const conditions = [
  {
    what: "a condition on risk and input",
    when: 'risk.score >= 2.0 && has(input.lead_id) && input.lead_id.endsWith("7")',
  },
  { what: "a condition on data classes of the input", when: '"iban" in data.kinds || data.level == "restricted"' },
] as const;

/** Before a policy becomes active it is replayed: that must be a matter of moments. */
export const simulate: Figure = {
  name: "simulate",
  title: "replay of a policy over 10,000 recorded calls",
  async run(bench) {
    return bench.withService(async (service) => {
      bench.say(
        `  ${recorded.toLocaleString("en")} dispatches are recorded through the API; then ${bench.pairs + 2} simulations of each after one to warm up; median`,
      );
      await record(service, recorded);
      const results: Result[] = [];
      for (const { what, when } of conditions) {
        await timeOf(service, when);
        const times: number[] = [];
        for (let round = 0; round < bench.pairs + 2; round++) times.push(await timeOf(service, when));
        bench.say(`  ${what}: ${times.map((time) => time.toFixed(2)).join(", ")} s`);
        results.push({ what, value: median(times), unit: "s", bar: 5, aim: 1.5, better: "lower" });
      }
      return results;
    });
  },
};

const headersOf = ({ key }: Service) => ({ authorization: `Bearer ${key}`, "content-type": "application/json" });

async function record(service: Service, calls: number): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let n = next++; n < calls; n = next++) {
      const body = JSON.stringify(dispatchBody(n % 200));
      const answer = await fetch(`${service.url}/v1/agents/sales/tasks`, {
        method: "POST",
        headers: headersOf(service),
        body,
      });
      await answer.arrayBuffer();
      if (answer.status !== 202) throw new Error(`a dispatch answered ${answer.status}`);
    }
  };
  await Promise.all(Array.from({ length: 64 }, lane));
}

/** Seconds from the request to its whole answer. */
async function timeOf(service: Service, when: string): Promise<number> {
  const text = {
    name: "Bench",
    scope: { actions: ["task.dispatch"] },
    when,
    effect: "deny",
    reason_code: "bench",
    message: "Of the bench.",
  };
  const began = performance.now();
  const answer = await fetch(`${service.url}/v1/governance/policies/simulate`, {
    method: "POST",
    headers: headersOf(service),
    body: JSON.stringify({ ...text, calls: recorded }),
  });
  const report = (await answer.json()) as { readonly calls?: number; readonly not_replayable?: number };
  const seconds = (performance.now() - began) / 1000;
  if (report.calls !== recorded)
    throw new Error(
      `a simulation answered ${answer.status} over ${report.calls} calls, ${report.not_replayable} left out`,
    );
  return seconds;
}
