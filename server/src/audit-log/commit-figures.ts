import { type Meter, secondsBuckets } from "../kernel/metrics.ts";

/** Takes down a group commit: how many calls it wrote, and how long that took until all of it was durable (seconds). */
export type MeasureCommit = (calls: number, seconds: number) => void;

/** The figures of group commits, by what the groups are of: `calls` (what comes in, and records of reads) and `runs` (what runs do, under guards). */
export function createCommitFigures(meter: Meter): (group: "calls" | "runs") => MeasureCommit {
  const sizes = meter.histogram({
    name: "aos_commit_batch_calls",
    labels: ["group"],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    help: "Calls that a group commit wrote together.",
  });
  const durations = meter.histogram({
    name: "aos_commit_seconds",
    labels: ["group"],
    buckets: secondsBuckets,
    help: "Group commits, from the statement's sending until all of it is durable.",
  });
  return (group) => (calls, seconds) => {
    sizes.observe([group], calls);
    durations.observe([group], seconds);
  };
}
