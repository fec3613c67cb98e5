import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../server/src/testing/shared-app.ts";
import { inProcess, type Ran, runAos, useFolder } from "../process.fixture.ts";

const login = inProcess("login");

const app = useSharedApp();
const folder = useFolder();
let count = 0;

/** A user of their own, who has nothing yet. */
function user() {
  const config = `${folder.path}/user-${++count}`;
  const aos = (
    args: readonly string[],
    env: Record<string, string> = {},
    stdin: string | null = null,
    cwd?: string,
  ): Promise<Ran> => runAos(args, { XDG_CONFIG_HOME: config, AOS_URL: app.url, ...env }, stdin, cwd);
  return { aos, config, file: `${config}/aos/credentials.json` };
}

describe("aos login", () => {
  it("keeps a key that counts, readable by the user alone, and never shows it", async () => {
    const { aos, file } = user();
    const key = app.key("operator");
    const { status, out, err } = await aos(["login", "--key", "-"], {}, `${key}\n`);
    expect([status, out]).toEqual([0, ""]);
    expect(err).toMatch(
      /^Signed in to http:\/\/127\.0\.0\.1:\d+ as mbr_\w+, operator of development\. The key is saved in .*credentials\.json\.\n$/,
    );
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(file.replace("/credentials.json", ""))).mode & 0o777).toBe(0o700);
    const who = await aos(["whoami"]);
    expect([who.status, who.out]).toEqual([0, expect.stringMatching(/^role: +operator$/m)]);
    expect(err + who.out + who.err).not.toContain(key);
  });

  it("keeps the address of the profile, which is used from then on", async () => {
    const { aos } = user();
    await aos(["login", "--profile", "live", "--url", `${app.url}/`, "--key", "-"], { AOS_URL: "" }, app.key("viewer"));
    const who = await aos(["--profile", "live", "whoami", "--json"], { AOS_URL: "" });
    expect(JSON.parse(who.out).principal.role).toBe("viewer");
    const env = await aos(["whoami", "--json"], { AOS_URL: "", AOS_PROFILE: "live" });
    expect(JSON.parse(env.out).principal.role).toBe("viewer");
  });

  it("keeps nothing of a key that does not count, and exits with 4", async () => {
    const { aos, file } = user();
    const { status, err } = await aos(["login", "--key", "-"], {}, "aos_dev_wrong");
    expect([status, err]).toEqual([4, expect.stringContaining("unauthenticated (401)")]);
    await expect(stat(file)).rejects.toThrow("ENOENT");
    expect((await aos(["login"], {}, "")).status).toBe(4);
  });

  it("takes no key as an argument", async () => {
    const { status, err } = await user().aos(["login", "--key", "aos_dev_secret"]);
    expect([status, err]).toEqual([1, expect.stringContaining("shell history")]);
    expect(err).not.toContain("aos_dev_secret");
  });

  it("asks on a terminal for a key that is not shown while it is typed", async () => {
    const { config } = user();
    const raw: boolean[] = [];
    const stdin = Object.assign(new PassThrough(), { setRawMode: (on: boolean) => raw.push(on) });
    const written = { out: "", err: "" };
    const terminal = {
      stdin,
      isTTY: true,
      showsProgress: true,
      canAsk: true,
      stdout: { write: (text: string) => (written.out += text) },
      stderr: { write: (text: string) => (written.err += text) },
      env: { XDG_CONFIG_HOME: config, AOS_URL: app.url },
    };
    const key = app.key("operator");
    stdin.write(`${key.slice(0, 20)}x\u007f`);
    stdin.write(`${key.slice(20)}\r`);
    expect(await login([], terminal)).toBe(0);
    expect(raw).toEqual([true, false]);
    expect(written.err).toMatch(/^Key for http.* \(hidden\): \nSigned in/);
    expect(written.err).not.toContain(key.slice(0, 20));
  });

  it("is cancelled by Ctrl-C with exit status 2", async () => {
    const stdin = new PassThrough();
    stdin.write("aos_dev_\u0003");
    const sink = { write: () => true };
    const env = { XDG_CONFIG_HOME: user().config, AOS_URL: app.url };
    expect(await login([], { stdin, stdout: sink, stderr: sink, env, isTTY: true, canAsk: true })).toBe(2);
  });
});

describe("the key of a call", () => {
  it("is that of AOS_KEY before the one that is kept", async () => {
    const { aos } = user();
    await aos(["login", "--key", "-"], {}, app.key("operator"));
    const { out } = await aos(["whoami", "--json"], { AOS_KEY: app.key("auditor") });
    expect(JSON.parse(out).principal.role).toBe("auditor");
  });

  it("that is kept for one address is sent to no other", async () => {
    const { aos } = user();
    await aos(["login", "--key", "-"], {}, app.key("operator"));
    const { status, err } = await aos(["whoami"], { AOS_URL: app.url.replace("127.0.0.1", "localhost") });
    expect([status, err]).toEqual([4, expect.stringContaining("You are not signed in to http://localhost")]);
  });

  it("is the admin key of the host where nothing else is given, which is said", async () => {
    const { aos, config } = user();
    await mkdir(`${config}/host/.aos`, { recursive: true });
    await writeFile(`${config}/host/.aos/admin.key`, `${app.key("admin")}\n`);
    const { status, out, err } = await aos(["whoami", "--json"], {}, null, `${config}/host`);
    expect([status, err]).toEqual([0, "Using the admin key of this host, .aos/admin.key.\n"]);
    expect(JSON.parse(out).principal.role).toBe("admin");
    expect((await aos(["whoami", "--json"], {}, null, `${config}/host`)).err).toBe(""); // said once
    const elsewhere = await aos(["whoami"], { AOS_URL: "http://agents.example.com" }, null, `${config}/host`);
    expect([elsewhere.status, elsewhere.err]).toEqual([4, expect.stringContaining("not signed in")]);
  });

  it("goes to the port of the service that runs in the folder", async () => {
    const { aos, config } = user();
    await mkdir(`${config}/host/.aos`, { recursive: true });
    await writeFile(`${config}/host/.aos/admin.key`, `${app.key("admin")}\n`);
    const running = (pid: number) =>
      writeFile(`${config}/host/.aos/service.json`, JSON.stringify({ pid, url: app.url, app_url: app.url }));
    await running(process.pid);
    const { status, out } = await aos(["whoami"], { AOS_URL: "" }, null, `${config}/host`);
    expect([status, out]).toEqual([0, expect.stringContaining(app.url)]);
    await running(2 ** 22 + 1); // no such process
    expect((await aos(["whoami"], { AOS_URL: "" }, null, `${config}/host`)).err).toContain("http://127.0.0.1:4000");
  });

  it("is that of the profile which --profile names before AOS_KEY", async () => {
    const { aos } = user();
    await aos(["login", "--profile", "work", "--key", "-"], {}, app.key("operator"));
    const { out } = await aos(["--profile", "work", "whoami", "--json"], { AOS_KEY: app.key("auditor") });
    expect(JSON.parse(out).principal.role).toBe("operator");
  });

  it("is gone after aos logout", async () => {
    const { aos, file } = user();
    await aos(["login", "--key", "-"], {}, app.key("operator"));
    expect((await aos(["logout"])).err).toContain("Removed the key");
    expect(await readFile(file, "utf8")).not.toContain("aos_dev_");
    expect((await aos(["whoami"])).status).toBe(4);
    expect((await aos(["logout"])).err).toContain("No key was saved");
  });

  it("cannot be read from a file that something else wrote", async () => {
    const { aos, file } = user();
    await aos(["login", "--key", "-"], {}, app.key("operator"));
    await writeFile(file, "{");
    expect(await aos(["whoami"])).toEqual({
      status: 1,
      out: "",
      err: expect.stringContaining("Remove it, then sign in again"),
    });
  });
});
