import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { dataFolder, freePort, type ServiceProcess, startService } from "../processes.ts";

// Who reads metrics where a proxy on the same host stands before the service: every caller then comes from a loopback address.

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one();
});

async function service(env: Record<string, string> = {}): Promise<ServiceProcess> {
  const { dataDir, remove } = await dataFolder();
  undo.push(remove);
  const started = await startService({ dataDir, role: "api", env });
  undo.push(() => started.kill());
  return started;
}

/** A proxy in front of `target`, at its own address. Adds `headers` to what it hands on, as proxies do that say for whom they ask. */
async function proxy(target: string, headers: Record<string, string> = {}): Promise<string> {
  const server: Server = createServer((incoming, outgoing) => {
    const { method, url, headers: given } = incoming;
    const onward = request(new URL(url ?? "/", target), { method, headers: { ...given, ...headers } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  undo.push(() => new Promise((resolve) => server.close(resolve)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const read = async (base: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${base}/metrics`, { headers: { connection: "close", ...headers } });
  return [answer.status, (await answer.text()).includes("aos_calls_total")];
};

it("nobody reads them unless they are opened, whatever the proxy says for whom it asks", async () => {
  const { url } = await service();
  const silent = await proxy(url);
  const telling = await proxy(url, { "x-forwarded-for": "203.0.113.7", forwarded: "for=203.0.113.7" });
  for (const base of [silent, telling, url]) expect(await read(base)).toEqual([403, false]);
  const refused = await fetch(`${silent}/metrics`, { headers: { connection: "close" } });
  expect((await refused.json()).detail).toMatch(/AOS_METRICS_TOKEN.*AOS_METRICS_PORT/);
});

it("who has the token reads them through the proxy, and nobody else", async () => {
  const token = "a-token-of-the-operator";
  const base = await proxy((await service({ AOS_METRICS_TOKEN: token })).url);
  expect(await read(base, { authorization: `Bearer ${token}` })).toEqual([200, true]);
  expect(await read(base)).toEqual([401, false]);
});

it("a port of their own is open to who reaches it, and the proxied address has none", async () => {
  const port = await freePort();
  const base = await proxy((await service({ AOS_METRICS_PORT: String(port) })).url);
  expect(await read(`http://127.0.0.1:${port}`)).toEqual([200, true]);
  expect(await read(base)).toEqual([401, false]);
});
