import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect, createServer as createProxy } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import S3rver from "@20minutes/s3rver";
import serveHandler from "serve-handler";
import { afterAll } from "vitest";

/** A website of files, served by `serve-handler` on loopback. */
export interface StaticSite {
  readonly url: string;
  /** What was asked for, as `GET /path 200`, with the status of the answer. */
  readonly asked: string[];
  /** Headers of requests, in their order. */
  readonly headers: IncomingMessage["headers"][];
  /** Headers that answers have, by path. */
  readonly answers: Record<string, Record<string, string>>;
  write(name: string, text: string): void;
  remove(name: string): void;
}

export async function startSite(files: Record<string, string>): Promise<StaticSite> {
  const folder = mkdtempSync(path.join(tmpdir(), "aos-site-"));
  const asked: string[] = [];
  const headers: IncomingMessage["headers"][] = [];
  const answers: StaticSite["answers"] = {};
  const server = createServer((request, response) => {
    headers.push(request.headers);
    response.on("finish", () => asked.push(`${request.method} ${request.url} ${response.statusCode}`));
    for (const [name, value] of Object.entries(answers[request.url ?? ""] ?? {})) response.setHeader(name, value);
    void serveHandler(request, response, { public: folder, cleanUrls: ["/"], etag: true, directoryListing: false });
  });
  const port = await listen(server);
  afterAll(() => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });
  const site: StaticSite = {
    url: `http://127.0.0.1:${port}`,
    asked,
    headers,
    answers,
    write(name, text) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text.replaceAll("{site}", `http://127.0.0.1:${port}`));
    },
    remove: (name) => rmSync(path.join(folder, name)),
  };
  for (const [name, text] of Object.entries(files)) site.write(name, text);
  return site;
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return (server.address() as AddressInfo).port;
}

/** An S3 server (`@20minutes/s3rver`) with one bucket, and a line to it that can break. */
export async function startBucket(bucket: string) {
  const directory = mkdtempSync(path.join(tmpdir(), "aos-bucket-"));
  const s3 = new S3rver({
    port: 0,
    address: "127.0.0.1",
    silent: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  // Release 5.0.0 escapes `&` twice in lists of keys.
  s3.middleware.unshift(async (context, next) => {
    await next();
    if (typeof context.body === "string") context.body = context.body.replaceAll("&amp;amp;", "&amp;");
  });
  const { port } = await s3.run();
  const line = await startLine(port);
  afterAll(async () => {
    await s3.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${line.port}`;
  const send = async (method: string, key: string, body?: string): Promise<void> => {
    const { AwsClient } = await import("aws4fetch");
    const client = new AwsClient({ ...keys, service: "s3", region: "us-east-1" });
    const at = `http://127.0.0.1:${port}/${bucket}/${key.split("/").map(encodeURIComponent).join("/")}`;
    const answered = await client.fetch(at, { method, ...(body === undefined ? {} : { body }) });
    if (!answered.ok) throw new Error(`${method} ${key} answered ${answered.status}`);
  };
  return {
    url,
    line,
    write: (key: string, text: string) => send("PUT", key, text),
    remove: (key: string) => send("DELETE", key),
  };
}

const keys = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };
export const bucketCredentials = { access_key_id: keys.accessKeyId, secret_access_key: keys.secretAccessKey };

/** A port of this machine that leads to another, or to a socket; it carries `left` requests and then breaks off. */
export async function startLine(target: number | string) {
  const line = { port: 0, left: Number.POSITIVE_INFINITY, bytes: 0 };
  const proxy = createProxy((client) => {
    const server = typeof target === "number" ? connect(target, "127.0.0.1") : connect(target);
    const end = (): void => {
      client.destroy();
      server.destroy();
    };
    client.on("data", (data) => {
      if (line.left-- <= 0) return end();
      line.bytes += data.length;
      server.write(data);
    });
    server.on("data", (data) => client.write(data));
    for (const side of [client, server]) side.on("error", end).on("close", end);
  });
  await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
  line.port = (proxy.address() as AddressInfo).port;
  afterAll(() => proxy.close());
  return line;
}
