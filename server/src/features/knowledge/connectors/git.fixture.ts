import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { deflateSync } from "node:zlib";
import { afterAll } from "vitest";

const author = {
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.com",
};
const env = { PATH: process.env.PATH ?? "", HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1", ...author };

export interface GitServer {
  readonly url: string;
  readonly folder: string;
  /** What was asked for, as `POST /handbook.git/git-upload-pack`. */
  readonly asked: string[];
  readonly headers: IncomingMessage["headers"][];
  git(...words: string[]): string;
  write(name: string, text: string): void;
  /** Commits all files. Returns the commit. */
  commit(): string;
}

/** A repository that the real `git http-backend` serves on loopback. */
export async function startGit(): Promise<GitServer> {
  const root = mkdtempSync(path.join(tmpdir(), "aos-git-"));
  const folder = path.join(root, "handbook.git");
  mkdirSync(folder);
  const git = (...words: string[]): string =>
    execFileSync("git", ["-C", folder, ...words], {
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  git("init", "-b", "main");
  const asked: string[] = [];
  const headers: IncomingMessage["headers"][] = [];
  const url = await listen((request, response) => {
    asked.push(`${request.method} ${request.url?.replace(/\?.*/, "")}`);
    headers.push(request.headers);
    backend(root, request, response);
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return {
    url: `${url}/handbook.git/.git`,
    folder,
    asked,
    headers,
    git,
    write(name, text) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    },
    commit() {
      git("add", "-A");
      git("commit", "--allow-empty", "-m", "a commit");
      return git("rev-parse", "HEAD");
    },
  };
}

async function listen(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(handle);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The common gateway interface, as a web server runs the program. */
function backend(root: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? "", "http://localhost");
  const child = spawn("git", ["http-backend"], {
    env: {
      ...env,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "safe.directory",
      GIT_CONFIG_VALUE_0: "*",
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? "GET",
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      CONTENT_LENGTH: request.headers["content-length"] ?? "",
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  request.pipe(child.stdin);
  const parts: Buffer[] = [];
  child.stdout.on("data", (part: Buffer) => parts.push(part));
  child.on("close", () => {
    const answer = Buffer.concat(parts);
    const end = answer.indexOf("\r\n\r\n");
    const fields = answer
      .toString("latin1", 0, end)
      .split("\r\n")
      .map((line) => line.split(/: (.*)/) as [string, string]);
    const status = Number(fields.find(([name]) => name === "Status")?.[1].split(" ")[0] ?? 200);
    response.writeHead(status, Object.fromEntries(fields.filter(([name]) => name !== "Status")));
    response.end(answer.subarray(end + 4));
  });
}

export interface RawObject {
  readonly type: "commit" | "tree" | "blob";
  readonly body: Buffer;
  /** What its header declares; default: what it is. */
  readonly declared?: number;
}

const numbers = { commit: 1, tree: 2, blob: 3 } as const;
export const oidOf = ({ type, body }: RawObject): string =>
  createHash("sha1").update(`${type} ${body.length}\0`).update(body).digest("hex");

export const treeOf = (entries: readonly (readonly [mode: string, name: string, oid: string])[]): RawObject => ({
  type: "tree",
  body: Buffer.concat(
    entries.flatMap(([mode, name, oid]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, "hex")]),
  ),
});

function packed({ type, body, declared = body.length }: RawObject): Buffer {
  const bytes = [(numbers[type] << 4) | (declared & 15)];
  for (let left = Math.floor(declared / 16); left > 0; left = Math.floor(left / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) as number) | 128;
    bytes.push(left % 128);
  }
  return Buffer.concat([Buffer.from(bytes), deflateSync(body, { level: 9 })]);
}

const line = (text: string | Buffer): Buffer => {
  const body = Buffer.from(text);
  return Buffer.concat([Buffer.from((body.length + 4).toString(16).padStart(4, "0")), body]);
};

/** A server of one commit whose pack holds what it is given, and says that it holds `count` objects. */
export async function startHostileGit(root: RawObject, others: readonly RawObject[], count?: number): Promise<string> {
  const commit: RawObject = {
    type: "commit",
    body: Buffer.from(
      `tree ${oidOf(root)}\nauthor A <a@example.com> 0 +0000\ncommitter A <a@example.com> 0 +0000\n\nx\n`,
    ),
  };
  const objects = [commit, root, ...others];
  const head = Buffer.alloc(12);
  head.write("PACK");
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(count ?? objects.length, 8);
  const body = Buffer.concat([head, ...objects.map(packed)]);
  const pack = Buffer.concat([body, createHash("sha1").update(body).digest()]);
  const url = await listen((request, response) => {
    const service = "git-upload-pack";
    if (request.method === "GET") {
      const about = "\0shallow ofs-delta side-band-64k symref=HEAD:refs/heads/main\n";
      response.setHeader("content-type", `application/x-${service}-advertisement`);
      response.write(Buffer.concat([line(`# service=${service}\n`), Buffer.from("0000")]));
      response.write(
        Buffer.concat([line(`${oidOf(commit)} HEAD${about}`), line(`${oidOf(commit)} refs/heads/main\n`)]),
      );
      return void response.end("0000");
    }
    response.setHeader("content-type", `application/x-${service}-result`);
    response.write(Buffer.concat([line(`shallow ${oidOf(commit)}`), Buffer.from("0000"), line("NAK\n")]));
    for (let at = 0; at < pack.length; at += 60_000)
      response.write(line(Buffer.concat([Buffer.from([1]), pack.subarray(at, at + 60_000)])));
    response.end("0000");
  });
  return `${url}/x.git`;
}
