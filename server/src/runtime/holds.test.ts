import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createHoldWatcher } from "./holds.ts";
import type { Lease, RunHold, TaskRun } from "./port.ts";

const lease = (owner: string): Lease => ({
  scope: { organization: "default", environment: "development" },
  task: `tsk_${owner}`,
  owner,
});
const run = {} as TaskRun;

describe("the watcher of stops", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function watching() {
    const says = new Map<string, RunHold>();
    const asked: (string | null)[] = [];
    const report = vi.fn();
    const watcher = createHoldWatcher({
      report,
      port: {
        holdOf({ owner }, _run, { tool }) {
          asked.push(tool);
          const said = says.get(owner);
          if (!said) throw new Error("no facts");
          return said;
        },
      },
    });
    return { says, asked, report, watcher };
  }

  it("says within a tenth of a second that a run is stopped, once, and of that run only", () => {
    const { says, watcher } = watching();
    const [stopA, stopB] = [vi.fn(), vi.fn()];
    says.set("a", "go").set("b", "give_back"); // a pause waits for the end of the step
    watcher.watch(lease("a"), run, { tool: null, model: null }, stopA);
    watcher.watch(lease("b"), run, { tool: null, model: null }, stopB);
    vi.advanceTimersByTime(5_000);
    expect(stopA).not.toHaveBeenCalled();
    says.set("a", "stop");
    vi.advanceTimersByTime(100);
    expect(stopA).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(5_000);
    expect(stopA).toHaveBeenCalledTimes(1);
    expect(stopB).not.toHaveBeenCalled();
  });

  it("asks about the tool that is called at this moment", () => {
    const { says, asked, watcher } = watching();
    says.set("a", "go");
    const progress = { tool: null as string | null, model: null };
    watcher.watch(lease("a"), run, progress, vi.fn());
    vi.advanceTimersByTime(100);
    progress.tool = "get_lead";
    vi.advanceTimersByTime(100);
    expect(asked).toEqual([null, "get_lead"]);
  });

  it("goes on where it cannot tell, and asks nothing once nothing runs", () => {
    const { says, asked, report, watcher } = watching();
    const stop = vi.fn();
    const unwatch = watcher.watch(lease("a"), run, { tool: null, model: null }, stop);
    vi.advanceTimersByTime(100);
    expect(report).toHaveBeenCalledWith(new Error("no facts"));
    says.set("a", "stop");
    vi.advanceTimersByTime(100);
    expect(stop).toHaveBeenCalledTimes(1);
    unwatch();
    const looked = asked.length;
    vi.advanceTimersByTime(10_000);
    expect(asked).toHaveLength(looked);
    expect(vi.getTimerCount()).toBe(0);
  });
});
