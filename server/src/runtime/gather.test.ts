import { describe, expect, it } from "vitest";
import type { SkillRequest } from "../kernel/skill-runner.ts";
import { type Gathered, gatherAll, hindranceIn, hindranceOfCall } from "./gather.ts";

const request = (signal = new AbortController().signal) =>
  ({
    scope: { organization: "default", environment: "development" },
    versionId: "ver_1",
    skill: "sort",
    seed: 1,
    signal,
    pauseMs: 1,
  }) as const;
const inputs = Array.from({ length: 20 }, (_, n) => ({ n }));
const found = (n: unknown): Gathered => ({ records: { get: n }, hindrance: null });
const outage: Gathered = { records: {}, hindrance: { code: "http_server_error", detail: "It is out of service." } };

describe("gathering", () => {
  it("tries an input that is hindered three times, and the others once", async () => {
    const tried: unknown[] = [];
    const once = async (_request: SkillRequest, { n }: Readonly<Record<string, unknown>>): Promise<Gathered> => {
      tried.push(n);
      return n === 5 && tried.filter((one) => one === 5).length < 3 ? outage : found(n);
    };
    expect(await gatherAll(once, { ...request(), inputs })).toEqual(inputs.map(({ n }) => ({ get: n })));
    expect(tried).toHaveLength(20 + 2);
  });

  it("ends the look-ups of all inputs with what hinders one of them", async () => {
    const broken: unknown[] = [];
    const once = ({ signal }: SkillRequest, { n }: Readonly<Record<string, unknown>>): Promise<Gathered> =>
      n === 0
        ? Promise.resolve(outage)
        : new Promise((_resolve, reject) =>
            signal.addEventListener("abort", () => {
              broken.push(n);
              reject(signal.reason);
            }),
          );
    await expect(gatherAll(once, { ...request(), inputs })).rejects.toMatchObject({ failure: outage.hindrance });
    expect(broken).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it("throws the reason of whoever breaks it off, while it waits for another try too", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const once = async (): Promise<Gathered> => {
      queueMicrotask(() => controller.abort(reason));
      return outage;
    };
    await expect(gatherAll(once, { ...request(controller.signal), inputs, pauseMs: 60_000 })).rejects.toBe(reason);
  });

  it("tells what keeps a tool from answering from its answer that there is nothing", () => {
    const codes = (kept: readonly string[]) => kept.map((code) => hindranceOfCall({ code, detail: "" })?.code ?? null);
    expect(codes(["record_not_found", "http_not_found", "http_refused", "arguments_invalid"])).toEqual([
      null,
      null,
      null,
      null,
    ]);
    const hinders = [
      "http_server_error",
      "http_rate_limited",
      "http_unauthorized",
      "timeout",
      "connect_failed",
      "connection_missing",
    ];
    expect(codes(hinders)).toEqual(hinders);
  });

  it("takes time that ran out for what hindered it: only its tools take any", () => {
    const usage = { steps: 1, tokens: 0, costUsd: 0, ms: 1 };
    const ended = (code: string) => hindranceIn({ kind: "failed", failure: { code, detail: "" }, usage })?.code ?? null;
    expect(["time_limit", "held", "record_not_found"].map(ended)).toEqual(["time_limit", "held", null]);
  });
});
