import http from "node:http";
import { dispatchBody } from "./bodies.ts";

/** Times of one kind of request that was made at a fixed rate, whatever the answers took (milliseconds). */
export interface Probed {
  readonly times: readonly number[];
  /** Answers of another status than was expected, and none. */
  readonly failures: number;
}

/** Asks again and again until it is stopped; requests do not wait for one another. */
export interface Probe {
  stop(): Promise<Probed>;
}

/** GET /healthz, as a load balancer asks. */
export const probeHealth = (url: string): Probe =>
  probe(50, 200, (agent) => http.request(`${url}/healthz`, { agent }).end());

/** Dispatches of a colleague, each of a task of its own. */
export function probeDispatch(url: string, key: string): Probe {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return probe(100, 202, (agent, at) =>
    http
      .request(`${url}/v1/agents/sales/tasks`, { method: "POST", agent, headers })
      .end(JSON.stringify(dispatchBody(at))),
  );
}

function probe(everyMs: number, expected: number, ask: (agent: http.Agent, at: number) => http.ClientRequest): Probe {
  const agent = new http.Agent({ keepAlive: true });
  const times: number[] = [];
  const open = new Set<Promise<void>>();
  let [asked, failures] = [0, 0];
  const one = (): void => {
    const began = performance.now();
    const answered = new Promise<void>((resolve) => {
      const request = ask(agent, asked++);
      request.on("response", (answer) => {
        if (answer.statusCode !== expected) failures++;
        answer.resume().on("end", () => {
          times.push(performance.now() - began);
          resolve();
        });
      });
      request.on("error", () => {
        failures++;
        resolve();
      });
    });
    open.add(answered);
    void answered.finally(() => open.delete(answered));
  };
  const timer = setInterval(one, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      agent.destroy();
      return { times, failures };
    },
  };
}

/** The value that `share` of all do not exceed; the longest for 1. */
export function quantile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
