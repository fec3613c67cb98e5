import { readFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { afterEach, expect, it } from "vitest";
import { dataFolder, type ServiceProcess, startService } from "../processes.ts";

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one();
});

async function folder(): Promise<string> {
  const { dataDir, remove } = await dataFolder();
  undo.push(remove);
  return dataDir;
}

async function started(dataDir: string, env: Record<string, string> = {}): Promise<ServiceProcess> {
  const service = await startService({ dataDir, role: "all", env });
  undo.push(() => service.kill());
  return service;
}

it("a start on a taken port says so, ends, and leaves nothing that keeps the next one from starting", async () => {
  const dataDir = await folder();
  const taken = net.createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  undo.push(() => new Promise((resolve) => taken.close(resolve)));
  const { port } = taken.address() as net.AddressInfo;
  await expect(startService({ dataDir, role: "all", env: { AOS_PORT: String(port) } })).rejects.toThrow(
    `port ${port} is in use by another program`,
  );
  await started(dataDir);
});

it("a signal that comes twice at once, as npm and a terminal send it, drains and ends with 0", async () => {
  const service = await started(await folder());
  process.kill(service.pid, "SIGINT");
  process.kill(service.pid, "SIGINT");
  expect(await service.ended).toBe(0);
});

it("a variable that is no setting is named, and does not stop the start", async () => {
  const service = await started(await folder(), { AOS_PROT: "4000" });
  expect(service.output()).toContain("AOS_PROT is no setting of this service");
});

it("a first start whose output nobody watches prints neither a key nor a link that signs in", async () => {
  const dataDir = await folder();
  const service = await started(dataDir);
  const key = readFileSync(path.join(dataDir, "admin.key"), "utf8").trim();
  expect(service.output()).toContain("made just now, kept in ");
  expect(service.output()).not.toContain(key);
  expect(service.output()).not.toContain("#token=");
});
