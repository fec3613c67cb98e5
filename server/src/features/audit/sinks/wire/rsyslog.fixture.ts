import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect } from "node:tls";

const program = "/usr/sbin/rsyslogd";

const hasDriver = (): boolean =>
  existsSync("/usr/lib") &&
  readdirSync("/usr/lib").some((folder) => existsSync(path.join("/usr/lib", folder, "rsyslog", "lmnsd_ossl.so")));

/** Whether a real syslog server that speaks TLS is installed (`apt-get install rsyslog rsyslog-openssl`). */
export const hasRsyslog = existsSync(program) && hasDriver();

export interface SyslogServer {
  readonly port: number;
  /** What it has written down, by lines of `<MSGID> <message>`. It is whole once the server was stopped. */
  stop(): Promise<string[]>;
}

/** rsyslog on loopback with a folder of its own. */
export async function startRsyslog({
  key,
  cert,
}: {
  readonly key: string;
  readonly cert: string;
}): Promise<SyslogServer> {
  const folder = await mkdtemp(path.join(tmpdir(), "aos-rsyslog-"));
  const port = await freePort();
  await writeFile(path.join(folder, "cert.pem"), cert);
  await writeFile(path.join(folder, "key.pem"), key);
  await writeFile(path.join(folder, "rsyslog.conf"), configuration(folder, port));
  const server = spawn(program, ["-n", "-f", path.join(folder, "rsyslog.conf"), "-i", path.join(folder, "pid")], {
    stdio: "ignore",
  });
  await untilListening(port);
  return {
    port,
    async stop() {
      const gone = new Promise((done) => server.once("exit", done));
      server.kill("SIGTERM");
      await gone;
      const text = await readFile(path.join(folder, "out.log"), "utf8");
      await rm(folder, { recursive: true, force: true });
      return text.trimEnd().split("\n");
    },
  };
}

const configuration = (folder: string, port: number): string => `
global(workDirectory="${folder}" maxMessageSize="64k" defaultNetstreamDriver="ossl"
  defaultNetstreamDriverCAFile="${folder}/cert.pem" defaultNetstreamDriverCertFile="${folder}/cert.pem" defaultNetstreamDriverKeyFile="${folder}/key.pem")
module(load="imtcp" streamDriver.name="ossl" streamDriver.mode="1" streamDriver.authMode="anon")
template(name="line" type="string" string="%msgid% %msg%\\n")
input(type="imtcp" port="${port}" address="127.0.0.1")
action(type="omfile" file="${folder}/out.log" template="line")
`;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

/** Tries again until it takes a connection; gives up after ten seconds. */
async function untilListening(port: number): Promise<void> {
  for (const until = performance.now() + 10_000; performance.now() < until; ) {
    const isThere = await new Promise<boolean>((done) => {
      const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false }, () => {
        socket.destroy();
        done(true);
      });
      socket.on("error", () => done(false));
    });
    if (isThere) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error("rsyslog took no connection within ten seconds");
}
