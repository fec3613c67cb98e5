import { expect, it } from "vitest";
import { useApp } from "../../../server/src/testing/app.ts";
import { inProcess } from "../process.fixture.ts";

const talk = inProcess("chat talk");

const app = useApp({ role: "all" });

/** `typed` is read line by line, so that what stands between two lines happens between them. */
async function talks(args: readonly string[], typed: AsyncIterable<string>, canAsk = true) {
  const written = { out: "", err: "" };
  const status = await talk(args, {
    stdin: typed as unknown as NodeJS.ReadableStream,
    stdout: { write: (text: string) => (written.out += text) },
    stderr: { write: (text: string) => (written.err += text) },
    env: { AOS_URL: app.url, AOS_KEY: app.key("admin"), NO_COLOR: "1" },
    isTTY: true,
    canAsk,
  });
  return { status, ...written };
}
async function* nothing(): AsyncGenerator<string> {}
const listed = async () => (await app.call("GET", "/v1/chat/conversations")).body.data;

it("starts no conversation where nobody can be asked for a message", async () => {
  const { status, err } = await talks(["sales"], nothing(), false);
  expect([status, await listed()]).toEqual([expect.any(Number), []]);
  expect(err).toContain('Give the message: aos chat talk sales "…"');
});

it("shows what the agent answers, and with the next message what a person wrote meanwhile", async () => {
  async function* typed() {
    yield "Where is my parcel?\n";
    const path = `/v1/chat/conversations/${(await listed())[0].conversation_id}`;
    await app.call("POST", `${path}/messages`, { body: { text: "Owner here.", as: "person" } });
    yield "Thank you.\n";
    await app.call("POST", `${path}/return`, { body: {} });
    yield "/person A refund.\n";
  }
  const { status, out, err } = await talks(["sales", "--user", "anna"], typed());
  expect([status, out]).toEqual([0, expect.stringMatching(/^I have found nothing[^\n]*\nOwner here\.\n$/)]);
  expect(err).toContain("A person answers.");
  expect(err.match(/A person was asked to take over\./g)).toHaveLength(1);
});
