import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ImapFlow } from "imapflow";

const program = "/usr/sbin/dovecot";

/** Whether a real IMAP server is installed (`apt-get install dovecot-imapd`). */
export const hasDovecot = existsSync(program);

export interface ImapServer {
  readonly port: number;
  readonly password: string;
  /** Puts messages into the mailbox of a user, as a mail server that takes them does. */
  deliver(user: string, ...messages: string[]): Promise<void>;
  close(): Promise<void>;
}

/** Dovecot on loopback with a folder of its own. Every user has the same password. */
export async function startDovecot(tls?: { readonly key: string; readonly cert: string }): Promise<ImapServer> {
  const folder = await mkdtemp(path.join(tmpdir(), "aos-dovecot-"));
  await chmod(folder, 0o755);
  await mkdir(path.join(folder, "mail"));
  await chmod(path.join(folder, "mail"), 0o777);
  const port = await freePort();
  const password = "correct-horse";
  const file = path.join(folder, "dovecot.conf");
  if (tls) await writeFile(path.join(folder, "tls.pem"), `${tls.cert}${tls.key}`);
  await writeFile(file, configuration(folder, port, password, tls !== undefined));
  const server = spawn(program, ["-F", "-c", file], { stdio: "ignore" });
  await untilGreeted(port, server);
  return {
    port,
    password,
    deliver: (user, ...messages) =>
      asUser(port, user, password, async (client) => {
        for (const message of messages) await client.append("INBOX", message.replaceAll(/\r?\n/g, "\r\n"));
      }),
    async close() {
      const gone = new Promise((done) => server.once("exit", done));
      server.kill("SIGTERM");
      await gone;
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function configuration(folder: string, port: number, password: string, tls: boolean): string {
  const { username, uid, gid } = userInfo();
  // It does nothing as root but start; its package has users for the rest.
  const [owner, group, login] = uid === 0 ? ["dovecot", "dovecot", "dovenull"] : [username, String(gid), username];
  return `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
${tls ? `ssl = yes\nssl_cert = <${folder}/tls.pem\nssl_key = <${folder}/tls.pem` : "ssl = no"}
disable_plaintext_auth = no
listen = 127.0.0.1
default_internal_user = ${owner}
default_internal_group = ${group}
default_login_user = ${login}
auth_failure_delay = 0
first_valid_uid = 0
first_valid_gid = 0
mail_location = maildir:${folder}/mail/%u
passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = static
  args = uid=${owner} gid=${group} home=${folder}/mail/%u
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

async function untilGreeted(port: number, server: ChildProcess): Promise<void> {
  for (const until = Date.now() + 20_000; Date.now() < until; await delay(50)) {
    if (server.exitCode !== null) throw new Error(`dovecot ended with ${server.exitCode}`);
    if (await greets(port)) return;
  }
  throw new Error("dovecot does not greet");
}

const greets = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, "127.0.0.1");
    const end = (answer: boolean): void => {
      socket.destroy();
      done(answer);
    };
    socket.once("data", () => end(true));
    socket.once("error", () => end(false));
  });

async function asUser(
  port: number,
  user: string,
  pass: string,
  work: (client: ImapFlow) => Promise<void>,
): Promise<void> {
  const client = new ImapFlow({
    host: "127.0.0.1",
    port,
    secure: false,
    doSTARTTLS: false,
    auth: { user, pass },
    logger: false,
  });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.logout();
  }
}
