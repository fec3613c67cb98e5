import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import type { Bench, Figure } from "../figure.ts";
import { median } from "../pairs.ts";
import { endChild, findProgram, freePort, root } from "../programs.ts";
import { removeData, serviceEnvironment, untilReady } from "../service.ts";

/** From the command to the first answer, as a user meets it: `npm start` in this installed clone. */
export const start: Figure = {
  name: "start",
  title: "npm start until /readyz answers 200, first ever and again",
  async run(bench) {
    await findProgram("npm", "install Node.js, which brings it.");
    const rounds = bench.quick ? 2 : 5;
    bench.say(`  ${rounds} rounds; first: no data folder and no compiled code kept; again: with what the first left`);
    const first: number[] = [];
    const again: number[] = [];
    for (let i = 0; i < rounds; i++) {
      const home = await bench.folder(`start-${i}`);
      first.push(await timeOfStart(bench, home));
      again.push(await timeOfStart(bench, home));
      bench.say(`  first ${(first[i] as number).toFixed(2)} s  again ${(again[i] as number).toFixed(2)} s`);
      await removeData(path.join(home, "data"));
    }
    return [
      { what: "first ever", value: median(first), unit: "s", bar: 3, aim: 1.8, better: "lower" },
      { what: "again", value: median(again), unit: "s", bar: 1.5, aim: 0.8, better: "lower" },
    ];
  },
};

/** Seconds from the start of npm to the answer. The service is stopped after. */
async function timeOfStart(bench: Bench, home: string): Promise<number> {
  const port = await freePort();
  const dataDir = path.join(home, "data");
  const env = { ...process.env, ...serviceEnvironment(dataDir, port), NODE_COMPILE_CACHE: path.join(home, "compiled") };
  const began = performance.now();
  // A process group of its own: npm, the shells and the service end together.
  const child: ChildProcess = spawn("npm", ["start"], {
    cwd: root,
    env,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  bench.onEnd(() => endChild(child, true));
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-2000);
  });
  await untilReady(`http://127.0.0.1:${port}`, child, () => said, 5);
  const seconds = (performance.now() - began) / 1000;
  await endChild(child, true);
  return seconds;
}
