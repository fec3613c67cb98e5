// Runs trivial workflows in DBOS for the bench: copied into a folder where its package is installed. Reads `<workflows> <steps>` a line and prints seconds.
import { createInterface } from "node:readline";
import { DBOS } from "@dbos-inc/dbos-sdk";

const steps = DBOS.registerWorkflow(
  async (count) => {
    let sum = 0;
    for (let at = 0; at < count; at += 1) sum += await DBOS.runStep(async () => at, { name: `step_${at}` });
    return sum;
  },
  { name: "steps" },
);

DBOS.setConfig({
  name: "bench",
  systemDatabaseUrl: process.env.BENCH_DATABASE_URL,
  logLevel: "error",
  runAdminServer: false,
});
await DBOS.launch();
process.stdout.write("ready\n");
for await (const line of createInterface({ input: process.stdin })) {
  const [workflows, count] = line.split(" ").map(Number);
  const began = performance.now();
  const started = await Promise.all(Array.from({ length: workflows }, () => DBOS.startWorkflow(steps)(count)));
  await Promise.all(started.map((handle) => handle.getResult()));
  process.stdout.write(`${(performance.now() - began) / 1000}\n`);
}
await DBOS.shutdown();
