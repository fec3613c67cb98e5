import { QueryClient } from "@tanstack/react-query";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { wholeOf } from "../src/lib/pages.ts";

// biome-ignore lint/suspicious/noExplicitAny: sources of the browser, whose types are checked with the portal's own settings
type Source = Record<string, any>;
const load = (name: string): Promise<Source> => import(new URL(`../src/api/${name}.ts`, import.meta.url).href);

afterAll(() => void vi.unstubAllGlobals());

describe("a read of what changes without an event", () => {
  let [admin, agents, governance, tasks]: Source[] = [];
  beforeAll(async () => {
    vi.stubGlobal("location", { origin: "http://portal.test" });
    [admin, agents, governance, tasks] = await Promise.all(["admin", "agents", "governance", "tasks"].map(load));
  });

  it("is made as often while the stream of events is open", () => {
    const reads = [
      ...[
        governance?.listPolicies({}),
        governance?.readPolicy("pol_1"),
        admin?.listKeys({}),
        tasks?.listTaskSteps("tsk_1"),
      ],
      ...["readAgent", "listVersions", "readTrust", "readGate"].map((name) => agents?.[name]("sales")),
    ];
    expect(reads.filter(({ untold }) => untold !== true)).toEqual([]);
    expect([tasks?.readTask("tsk_1").untold, agents?.listDeployments("sales").untold]).toEqual([undefined, undefined]);
  });
});

describe("an event of some task", () => {
  it("makes tasks stale, and not the long lists of the one that is shown", async () => {
    vi.useFakeTimers();
    const { renewer } = await load("live");
    const kept = new QueryClient();
    const paths = ["/v1/tasks", "/v1/tasks/{task}", "/v1/tasks/{task}/steps", "/v1/tasks/{task}/events"];
    for (const path of paths) kept.setQueryData([path, {}], {});
    const renew = renewer?.(kept);
    for (const type of ["task.started", "approval.decided"]) renew(type);
    await vi.runAllTimersAsync();
    vi.useRealTimers();
    expect(paths.filter((path) => kept.getQueryState([path, {}])?.isInvalidated)).toEqual([
      "/v1/tasks",
      "/v1/tasks/{task}",
    ]);
  });
});

describe("the stream of a task", () => {
  it("has the task asked for once more when it is left", async () => {
    vi.stubGlobal(
      "EventSource",
      class extends EventTarget {
        close() {}
      },
    );
    const { hearTask } = await load("tasks");
    const heard = vi.fn();
    const leave = hearTask("tsk_1", heard, () => undefined);
    expect(heard).not.toHaveBeenCalled();
    leave();
    expect(heard).toHaveBeenCalledOnce();
  });
});

describe("what was refused", () => {
  it("is asked for again at once when the service is ready, and ever more rarely while it is and goes on refusing", async () => {
    const { askingAgain } = await load("connection");
    const isTime = askingAgain?.();
    const asked = (answers: boolean[]) => answers.flatMap((ready, at) => (isTime(ready) ? [at + 1] : []));
    expect(asked([false, false, true])).toEqual([3]);
    expect(asked([false])).toEqual([]);
    expect(asked(Array.from({ length: 100 }, () => true))).toEqual([1, 2, 4, 8, 16, 32, 64, 96]);
  });
});

describe("a list that is read whole", () => {
  /** A list of so many pages, of one number each. */
  const list = (pages: number) => async (from: { cursor?: string }) => {
    const at = Number(from.cursor ?? 0);
    const next_cursor = at + 1 < pages ? String(at + 1) : null;
    return { data: [at], has_more: next_cursor !== null, next_cursor };
  };

  it("has every page in its order, and no more", async () => {
    expect(await wholeOf(list(3))).toEqual({ data: [0, 1, 2], has_more: false, next_cursor: null });
    expect(await wholeOf(list(1))).toEqual({ data: [0], has_more: false, next_cursor: null });
  });

  it("ends after ten pages, and says that there is more", async () => {
    const { data, has_more } = await wholeOf(list(12));
    expect([data.length, has_more]).toEqual([10, true]);
    expect((await wholeOf(list(10))).has_more).toBe(false);
  });
});
