import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, expect, it } from "vitest";
import { selfSigned } from "./certificate.fixture.ts";
import { createGuard } from "./guard.ts";
import { writeByTls } from "./tls-connection.ts";

const { key, cert } = selfSigned("receiver.test");
/** What the server does with a connection. */
let take = (_socket: TLSSocket): void => undefined;
const server = createServer({ key, cert }, (socket) => {
  socket.on("error", () => undefined);
  take(socket);
});
server.on("tlsClientError", () => undefined);
let connections = 0;
server.on("connection", () => connections++);
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => void server.close());

interface Wanted {
  readonly address?: string;
  readonly host?: string;
  readonly ca?: string | undefined;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}
const write = ({
  address = "127.0.0.1",
  host = "receiver.test",
  ca = cert,
  timeoutMs = 10_000,
  signal = new AbortController().signal,
}: Wanted = {}) =>
  writeByTls(
    { guard: createGuard("development", []), resolve: async () => [{ address, family: 4 }], ca },
    { host, port: (server.address() as AddressInfo).port, certificate: null },
    Buffer.from("a message".repeat(100_000)),
    { signal, timeoutMs },
  );

it("resolves once the server has read everything and closed the connection", async () => {
  const pieces: Buffer[] = [];
  let closes = false;
  take = (socket) => {
    socket.on("data", (piece: Buffer) => pieces.push(piece));
    socket.on("end", () => {
      closes = true;
    });
  };
  await write();
  expect([Buffer.concat(pieces).length, closes]).toEqual([900_000, true]);
});

it("connects to no address that must not be called, whatever name leads to it", async () => {
  const before = connections;
  await expect(write({ address: "10.0.0.8" })).rejects.toMatchObject({ code: "address_refused", sent: false });
  await expect(write({ host: "169.254.169.254" })).rejects.toMatchObject({ code: "address_refused", sent: false });
  expect(connections).toBe(before);
});

const taking: Readonly<Record<string, (socket: TLSSocket) => void>> = {
  nothing: () => undefined,
  "one piece": (socket) => {
    socket.once("data", () => socket.destroy());
  },
  "no end": (socket) => {
    socket.pause();
  },
};

it.each([
  ["another name's certificate", { host: "other.test" }, "tls_failed", "nothing"],
  ["a connection that breaks off", {}, "connection_lost", "one piece"],
  ["a server that never closes", { timeoutMs: 200 }, "timeout", "no end"],
])("rejects %s", async (_what, wanted, code, how) => {
  take = taking[how] as typeof take;
  await expect(write(wanted)).rejects.toMatchObject({ code });
});

it("rejects with the reason of a signal that is aborted", async () => {
  const stop = new AbortController();
  take = () => stop.abort(new Error("stopped"));
  await expect(write({ signal: stop.signal })).rejects.toThrow("stopped");
});
