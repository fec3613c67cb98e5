import { writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { text as textOf } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { castIn, must, payingAgent } from "../../../server/src/testing/actors.ts";
import { useApp } from "../../../server/src/testing/app.ts";
import { inProcess, type Ran, runAos, startAos, useFolder } from "../process.fixture.ts";

const approve = inProcess("approvals approve");
const reject = inProcess("approvals reject");

const app = useApp({ role: "all" });
const folder = useFolder();
const env = () => ({ AOS_URL: app.url, AOS_KEY: app.key("admin"), XDG_CONFIG_HOME: folder.path });
const aos = (args: readonly string[]): Promise<Ran> => runAos(args, env());

/** A decision on a terminal, with what is typed there. */
async function decides(
  command: typeof approve,
  args: readonly string[],
  typed: string,
  key = app.key("admin"),
): Promise<Ran> {
  const written = { out: "", err: "" };
  const status = await command(args, {
    stdin: Readable.from([typed]),
    stdout: { write: (text: string) => (written.out += text) },
    stderr: { write: (text: string) => (written.err += text) },
    env: { ...env(), AOS_KEY: key, NO_COLOR: "1" },
    isTTY: true,
    canAsk: true,
  });
  return { status, ...written };
}
const statusOf = async (task: string): Promise<string> => (await app.call("GET", `/v1/tasks/${task}`)).body.status;

describe("aos tasks dispatch", () => {
  it("answers at once, with fields of the input as options", async () => {
    const { status, out } = await aos([
      "tasks",
      "dispatch",
      "sales",
      "qualify_lead",
      "--lead-id",
      "ld_1001",
      "--require-approval",
      "--json",
    ]);
    expect(status).toBe(0);
    expect(JSON.parse(out)).toEqual({
      task_id: expect.stringMatching(/^tsk_/),
      status: "awaiting_approval",
      trust_score: expect.any(Number),
      audit_ref: expect.stringMatching(/^aud_/),
    });
  });

  it("waits for the end with --wait, and shows the result", async () => {
    const { status, out, err } = await aos([
      "tasks",
      "dispatch",
      "sales",
      "summarize_lead",
      "--input",
      '{"lead_id": "ld_1001"}',
      "--wait",
      "--json",
    ]);
    expect([status, err]).toEqual([0, expect.stringContaining("waiting for it to end")]);
    expect(JSON.parse(out)).toMatchObject({
      status: "completed",
      final: true,
      output: { company: expect.any(String) },
    });
  });

  it("exits by how the task ended: 1 where it was rejected, 2 where it was cancelled", async () => {
    const ends = [
      ["reject", { reason: "No." }, 1],
      ["cancel", {}, 2],
    ] as const;
    for (const [end, body, exit] of ends) {
      const running = startAos(
        ["tasks", "dispatch", "sales", "qualify_lead", "--lead-id", "ld_1001", "--require-approval", "--wait"],
        env(),
      );
      const task = await until(() => /tsk_\w+/.exec(running.err())?.[0]);
      const { digest } = (await app.call("GET", `/v1/approvals/${task}`)).body;
      const path = end === "reject" ? `/v1/approvals/${task}/reject` : `/v1/tasks/${task}/cancel`;
      expect(
        (await app.call("POST", path, { body: end === "reject" ? { ...body, digest } : body })).status,
      ).toBeLessThan(300);
      expect((await running.ended).status).toBe(exit);
    }
  });

  it("tells what the skill says of its input", async () => {
    const { status, err } = await aos(["tasks", "dispatch", "sales", "qualify_lead", "--lead-id", "1001"]);
    expect([status, err]).toEqual([1, expect.stringMatching(/^aos: \/lead_id: .*\^ld_.*\n {2}invalid_body \(422\)/)]);
    expect((await aos(["tasks", "dispatch", "sales", "qualify_lead", "--requre-approval"])).err).toContain(
      "Did you mean --require-approval?",
    );
  });
});

describe("aos tasks dispatch while the draft is another", () => {
  it("takes fields as the version says that works", async () => {
    const { body, headers } = await app.call("GET", "/v1/agents/sales");
    const skills = body.definition.skills.map((skill: { input: object }) => ({
      ...skill,
      input: { type: "object", properties: { lead_id: { type: "integer" } } },
    }));
    const etag = { "if-match": headers.get("etag") as string };
    expect((await app.call("PATCH", "/v1/agents/sales", { headers: etag, body: { skills } })).status).toBe(200);
    const { err } = await aos(["tasks", "dispatch", "sales", "qualify_lead", "--lead-id", "1001"]);
    expect(err).toMatch(/^aos: \/lead_id: .*\^ld_/);
  });
});

describe("aos tasks cancel", () => {
  it("waits with --wait until it is cancelled, which is what was wished for", async () => {
    const { task_id } = await app.dispatch();
    const { status, out } = await aos(["tasks", "cancel", task_id, "--wait", "--json"]);
    expect([status, JSON.parse(out).status]).toEqual([0, "cancelled"]);
  });
});

describe("aos tasks retry", () => {
  it("waits with --wait until the new try has ended, and exits by that: 2 where it was cancelled", async () => {
    const { task_id } = await app.dispatch();
    await app.call("POST", `/v1/tasks/${task_id}/cancel`, { body: {} });
    const running = startAos(["tasks", "retry", task_id, "--wait", "--json"], env());
    await until(async () => ((await statusOf(task_id)) === "awaiting_approval" ? true : undefined));
    await app.call("POST", `/v1/tasks/${task_id}/cancel`, { body: {} });
    const { status, out } = await running.ended;
    expect([status, JSON.parse(out).status]).toEqual([2, "cancelled"]);
  });
});

/** Stands between the command line and the service, and keeps the bodies that are sent. */
async function between(): Promise<{ sent: unknown[]; url: string; close: () => Server }> {
  const sent: unknown[] = [];
  const server = createServer(async (request, response) => {
    const text = await textOf(request);
    if (text !== "") sent.push(JSON.parse(text));
    const headers = { authorization: request.headers.authorization ?? "", "content-type": "application/json" };
    const answer = await fetch(app.url + request.url, {
      method: request.method ?? "GET",
      headers,
      ...(text === "" ? {} : { body: text }),
    });
    response
      .writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" })
      .end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { sent, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

async function until<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const { vi } = await import("vitest");
  return vi.waitFor(
    async () => {
      const found = await look();
      if (found === undefined) throw new Error("not yet");
      return found;
    },
    { timeout: 25_000, interval: 50 },
  );
}

describe("aos tasks watch", () => {
  it("shows what happened and what happens, until the task has ended", async () => {
    const { task_id } = await app.dispatch();
    const running = startAos(["tasks", "watch", task_id], env());
    await until(() => (running.out().includes("task.approval_required") ? true : undefined));
    await app.call("POST", `/v1/tasks/${task_id}/cancel`, { body: {} });
    const { status, out } = await running.ended;
    expect([
      status,
      out
        .trim()
        .split("\n")
        .map((line) => line.split(/ {2,}/)[1])
        .filter((word) => word?.startsWith("task.")), // between them stands what held it
    ]).toEqual([2, ["task.created", "task.approval_required", "task.cancelled"]]);
    expect(out).toMatch(/asked for approval\. risk \w+, approve_url http/);
    const again = await aos(["tasks", "watch", task_id, "--json", "--after", "2"]);
    expect([again.status, JSON.parse(again.out)]).toEqual([
      2,
      expect.objectContaining({ sequence: 3, type: "task.cancelled" }),
    ]);
  });

  it("says that there is no such task", async () => {
    expect(await aos(["tasks", "watch", "tsk_01jd8x0000000000000000000a"])).toMatchObject({
      status: 1,
      out: "",
      err: expect.stringContaining("not_found"),
    });
  });
});

describe("aos approvals approve", () => {
  it("shows what is asked with risk, trust and digest, and approves after a yes", async () => {
    const { task_id } = await app.dispatch();
    const { digest } = (await app.call("GET", `/v1/approvals/${task_id}`)).body;
    const { status, out, err } = await decides(approve, [task_id], "y\n");
    expect([status, out]).toEqual([0, expect.stringMatching(/^apr_\w+: approved/)]);
    expect(err).toMatch(/would run qualify_lead, in development, with\n +lead_id: ld_1001\n/);
    expect(err).toMatch(/risk +\w+ \(\d+ of 12\)\n/);
    expect(err).toMatch(/trust +0\.\d\d, between 0\.\d\d and 0\.\d\d\n/);
    expect(err).toContain(digest);
    expect(await statusOf(task_id)).not.toBe("awaiting_approval");
  });

  it("shows who stands behind it, what they did, and who could decide it", async () => {
    const cast = await castIn(app, "staging");
    const names = { alice: "Alice Adler", bob: "Bob Brandt", carol: "Carol Cole" } as const;
    for (const [who, name] of Object.entries(names))
      await app.pool.query("update members set name = $2 where id = $1", [
        cast[who as keyof typeof names].memberId,
        name,
      ]);
    await app.pool.query("update members set roles = roles - 'staging' where id <> all ($1)", [
      [cast.alice.memberId, cast.bob.memberId, cast.carol.memberId],
    ]);
    const agent = await payingAgent(app, cast);
    const decided = [{ id: cast.bob.memberId, how: "agent", of: `agent:${agent}@1`, at: "2026-11-20T09:30:00.000Z" }];
    await app.pool.query("update agent_versions set deciders = $2 where agent = $1", [agent, JSON.stringify(decided)]);
    await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'agents'");
    await app.app.facts.refresh();
    const body = { task: "settle", amount: 240 };
    const { task_id } = await must(app, 202, cast.alice, "POST", `/v1/agents/${agent}/tasks`, body);
    const { err } = await decides(approve, [task_id], "n\n", cast.carol.secret);
    expect(err).toMatch(/behind +Alice Adler asked for it\n/);
    expect(err).toContain(`Bob Brandt changed the agent's instructions, skills or tools (agent:${agent}@1)\n`);
    expect(err).toMatch(/who +Nobody who stands behind it may approve it\.\n/);
    expect(err).toMatch(/could decide +Carol Cole\n/);
  });

  it.each(["n\n", "\n", "yess\n", ""])("decides nothing on %j, and exits with 2", async (typed) => {
    const { task_id } = await app.dispatch();
    const { status, out } = await decides(approve, [task_id], typed);
    expect([status, out, await statusOf(task_id)]).toEqual([2, "", "awaiting_approval"]);
  });

  it("asks nobody with --yes, and refuses without it where nobody can be asked", async () => {
    const { task_id } = await app.dispatch();
    expect(await aos(["approvals", "approve", task_id])).toMatchObject({
      status: 1,
      out: "",
      err: expect.stringContaining("Use --yes to skip it"),
    });
    const { status, out } = await aos(["approvals", "approve", task_id, "--yes", "--json"]);
    expect([status, JSON.parse(out)]).toEqual([0, expect.objectContaining({ status: "approved" })]);
  });

  it("decides exactly what was shown: another digest is refused", async () => {
    const { task_id } = await app.dispatch();
    const { status, err } = await aos(["approvals", "approve", task_id, "--yes", "--digest", "0".repeat(64)]);
    expect([status, err]).toEqual([1, expect.stringContaining("digest_mismatch (409)")]);
    expect(await statusOf(task_id)).toBe("awaiting_approval");
  });

  it("sends the digest of what was shown with a file that holds an empty object", async () => {
    const { task_id } = await app.dispatch();
    await writeFile(`${folder.path}/empty.json`, "{ }\n");
    const { status, out } = await aos(["approvals", "approve", task_id, "--yes", "-f", `${folder.path}/empty.json`]);
    expect([status, out]).toEqual([0, expect.stringMatching(/^apr_\w+: approved/)]);
  });

  it("says why one may not decide", async () => {
    const { task_id } = await app.dispatch();
    const { status, err } = await runAos(["approvals", "approve", task_id, "--yes"], {
      ...env(),
      AOS_KEY: app.key("viewer"),
    });
    expect([status, err]).toEqual([1, expect.stringMatching(/^aos: .+$/m)]);
    expect(await statusOf(task_id)).toBe("awaiting_approval");
  });
});

describe("aos approvals reject", () => {
  it("sends the digest of what was shown with a body from a file, and refuses a file that names another", async () => {
    const { task_id } = await app.dispatch();
    const { digest } = (await app.call("GET", `/v1/approvals/${task_id}`)).body;
    const [plain, other] = [`${folder.path}/reason.json`, `${folder.path}/other.json`];
    await writeFile(plain, '{"reason": "The budget is not confirmed."}');
    await writeFile(other, `{"reason": "No.", "digest": "${"0".repeat(64)}"}`);
    const refused = await aos(["approvals", "reject", task_id, "--yes", "-f", other]);
    expect([refused.status, refused.err]).toEqual([
      1,
      expect.stringMatching(/other\.json has the digest 0+, but the action shown has /),
    ]);
    const { sent, url, close } = await between();
    const { status } = await runAos(["approvals", "reject", task_id, "--yes", "-f", plain], { ...env(), AOS_URL: url });
    close();
    expect([status, sent]).toEqual([0, [{ digest, reason: "The budget is not confirmed." }]]);
  });

  it("leaves a file to the strict reader of the service, with the digest in it or without", async () => {
    const { task_id } = await app.dispatch();
    const { digest } = (await app.call("GET", `/v1/approvals/${task_id}`)).body;
    const file = `${folder.path}/strict.json`;
    for (const own of ["", `, "digest": "${digest}"`])
      for (const [fields, fault] of [
        ['"reason": "Yes.", "reason": "No."', 'Line 1, column 21: The name "reason" is given twice'],
        ['"reason": "No.", "more": 1e999', "Line 1, column 28: "],
      ]) {
        await writeFile(file, `{ ${fields}${own}}\n`);
        const { status, err } = await aos(["approvals", "reject", task_id, "--yes", "-f", file]);
        expect([status, err]).toEqual([1, expect.stringContaining(fault as string)]);
      }
    expect(await statusOf(task_id)).toBe("awaiting_approval");
    await writeFile(file, `{"reason": "No.", "digest": "${digest}"}`);
    expect((await aos(["approvals", "reject", task_id, "--yes", "-f", file])).status).toBe(0);
  });

  it("asks for the reason, and rejects after a yes", async () => {
    const { task_id } = await app.dispatch();
    const { status } = await decides(reject, [task_id], "The budget is not confirmed.\ny\n");
    expect(status).toBe(0);
    expect((await app.call("GET", `/v1/approvals/${task_id}`)).body).toMatchObject({
      status: "rejected",
      reason: "The budget is not confirmed.",
    });
  });
});
