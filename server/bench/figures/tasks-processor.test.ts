import { spawn } from "node:child_process";
import { expect, it } from "vitest";
import type { Service } from "../service.ts";
import { processorTime } from "./tasks-processor.ts";

/** A service that is this process, and a database whose first process is this one as well: `backend` is one of its children. */
const serviceOf = (backend: number | undefined): Service =>
  ({ pid: process.pid, pool: { query: async () => ({ rows: [{ pid: backend }] }) } }) as unknown as Service;

it.runIf(process.platform === "linux")("is what the system says that the processes have used", async () => {
  const child = spawn("sh", ["-c", "read wait"], { stdio: ["pipe", "ignore", "ignore"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  try {
    const told = await processorTime(serviceOf(child.pid));
    const { user, system } = process.cpuUsage();
    const seconds = (user + system) / 1e6;
    expect(told?.service).toBeGreaterThan(0.5 * seconds - 0.05);
    expect(told?.service).toBeLessThanOrEqual(seconds + 0.05);
    expect(told?.database).toBeGreaterThanOrEqual(told?.service as number);
  } finally {
    child.kill();
    await ended;
  }
});

it("is nothing where no such process runs", async () => {
  expect(await processorTime(serviceOf(undefined))).toBeNull();
});
