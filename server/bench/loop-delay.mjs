// Preloaded into a service under load: writes how far its event loop falls behind, in milliseconds, to a file of its process.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const folder = process.env.AOS_BENCH_LOOP_FOLDER;
if (folder && isMainThread && process.argv[1]?.endsWith("main.ts")) {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  process.on("SIGUSR2", () => {
    const told = { max: delay.max / 1e6, p99: delay.percentile(99) / 1e6 };
    writeFileSync(path.join(folder, `${process.pid}.json`), JSON.stringify(told));
    delay.reset();
  });
}
