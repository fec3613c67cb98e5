import { readdirSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { beforeAll, describe, expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import { useApp } from "../../../testing/app.ts";
import { eventually } from "../../../testing/tasks.ts";
import { searchChunks } from "../public.ts";

const app = useApp({ role: "all" });
const where = "/v1/knowledge/bases/uploads/documents";
const uploads = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith("aos-upload-"));

async function send(
  form: FormData,
  options: { key?: string | null; headers?: Record<string, string>; query?: string } = {},
) {
  const { key = app.key("admin"), headers = {}, query = "" } = options;
  const authorization: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  const response = await fetch(`${app.url}${where}${query}`, {
    method: "POST",
    headers: { ...authorization, ...headers },
    body: form,
  });
  return {
    status: response.status,
    body: (await response.json()) as { document_id: string; code?: string } & Record<string, unknown>,
  };
}
function formOf(text: string | Blob, name: string, members: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [member, value] of Object.entries(members)) form.append(member, value);
  form.append("file", typeof text === "string" ? new Blob([text], { type: "text/plain" }) : text, name);
  return form;
}
const stateOf = async (id: string) => (await app.pool.query("select * from documents where id = $1", [id])).rows[0];
const untilState = (id: string, state: string) =>
  eventually(async () => {
    const row = await stateOf(id);
    if (row.state !== state) throw new Error(`is ${row.state} ${JSON.stringify(row.error)}`);
    return row;
  });
const search = async (query: string): Promise<string[]> =>
  (await searchChunks({ scope: app.scope, db: createReader(app.pool) }, ["uploads"], query, 10)).map(
    ({ text }) => text,
  );

beforeAll(async () => {
  expect((await app.call("POST", "/v1/knowledge/bases", { body: { name: "uploads" } })).status).toBe(201);
});

describe("uploading a file", () => {
  it("indexes it after the answer, with what the other parts say of it", async () => {
    const { status, body } = await send(
      formOf("The heron nests on the northern pier.", "birds.txt", {
        external_id: "birds",
        metadata: '{"kind":"note"}',
        readers: '["role:viewer"]',
        review_at: "2027-01-01T00:00:00Z",
      }),
    );
    expect(status).toBe(202);
    expect(body).toMatchObject({ outcome: "added", external_id: "birds", state: "queued", title: "birds" });
    const row = await untilState(body.document_id, "indexed");
    expect(row).toMatchObject({
      source: "file",
      file_name: "birds.txt",
      media_type: "text/plain",
      size: 37,
      version: 1,
      pending: null,
      progress: 1,
      metadata: { kind: "note" },
      readers: ["role:viewer"],
    });
    expect(await search("nesting herons")).toEqual(["The heron nests on the northern pier."]);
    await eventually(() => expect(uploads()).toEqual([]));
  });

  it("takes a few megabytes", async () => {
    const line = "A line of a long report about the harbour. ";
    const { status, body } = await send(formOf(line.repeat(80_000), "long.txt"));
    expect(status).toBe(202);
    const row = await untilState(body.document_id, "indexed");
    expect(row.size).toBe(line.length * 80_000);
    expect(row.text).toHaveLength(line.length * 80_000);
  });

  it("does not keep the same bytes twice, and names the document that has them", async () => {
    const once = await send(formOf("Same bytes.", "one.txt"));
    const again = await send(formOf("Same bytes.", "two.txt"));
    expect(again.body).toMatchObject({ outcome: "unchanged", document_id: once.body.document_id });
  });

  it("keeps the id of a document that is replaced, and serves what it said until the new contents are indexed", async () => {
    const first = await send(formOf("The ferry leaves at nine.", "times.txt", { external_id: "ferry" }));
    await untilState(first.body.document_id, "indexed");
    const second = await send(formOf("The boat departs at noon.", "times.txt", { external_id: "ferry" }));
    expect(second.body).toMatchObject({ outcome: "replaced", document_id: first.body.document_id });
    await untilState(first.body.document_id, "indexed");
    expect(await search("ferry")).toEqual([]);
    expect(await search("boat departure")).toEqual(["The boat departs at noon."]);
    const { rows } = await app.pool.query("select version, text from document_versions where document = $1", [
      first.body.document_id,
    ]);
    expect(rows).toEqual([{ version: 1, text: "The ferry leaves at nine." }]);
  });

  it("says why a file cannot be read", async () => {
    const { body } = await send(
      formOf(new Blob([Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")], { type: "image/png" }), "a.png"),
    );
    const row = await untilState(body.document_id, "failed");
    expect(row.error).toMatchObject({ code: "unsupported_type" });
  });

  it("gives the first answer to a repetition with the same Idempotency-Key, and refuses the key for another file", async () => {
    const headers = { "idempotency-key": "upload-1" };
    const first = await send(formOf("Only once.", "once.txt"), { headers });
    const again = await send(formOf("Only once.", "once.txt"), { headers });
    expect([again.status, again.body]).toEqual([202, first.body]);
    const other = await send(formOf("Another.", "once.txt"), { headers });
    expect([other.status, other.body.code]).toEqual([422, "idempotency_key_reused"]);
  });

  it("shows policies the file without its bytes", async () => {
    const when = 'has(input.file) && has(input.file.name) && input.file.name == "secret.txt"';
    await app.policy({
      name: "No secrets",
      scope: { actions: ["document.add"] },
      effect: "deny",
      reason_code: "secret",
      message: "No.",
      when,
    });
    const { status, body } = await send(formOf("Hidden.", "secret.txt"));
    expect([status, body.code]).toEqual([403, "policy_blocked"]);
  });
});

describe("what is no upload", () => {
  const large = () => formOf(new Blob([Buffer.alloc(3 * 1024 * 1024, 97)]), "large.txt");

  it.each([
    [401, null],
    [403, "viewer"],
  ])("answers %i without writing the file where the caller may not", async (status, role) => {
    await eventually(() => expect(uploads()).toEqual([]));
    const answered = await send(large(), { key: role === null ? null : app.key(role as "viewer") });
    expect(answered.status).toBe(status);
    expect(uploads()).toEqual([]);
  });

  it.each([
    ["/file", "required", (form: FormData) => form.delete("file")],
    ["/file", "empty", (form: FormData) => form.set("file", new Blob([]), "a.txt")],
    ["/other", "unexpected", (form: FormData) => form.append("other", new Blob(["b"]), "b.txt")],
    ["/metadata", "invalid_json", (form: FormData) => form.append("metadata", "{no")],
    ["/title", "repeated", (form: FormData) => ["a", "b"].forEach((title) => void form.append("title", title))],
    ["/text", "unknown_field", (form: FormData) => form.append("text", "a")],
  ])("names %s as %s", async (pointer, code, spoil) => {
    const form = formOf("A file.", "a.txt");
    spoil(form);
    const { status, body } = await send(form);
    expect([status, body.code]).toEqual([422, "invalid_body"]);
    expect(body.errors).toMatchObject([{ pointer, code }]);
  });

  it("refuses a file over the limit before it has arrived", async () => {
    const headers = { "content-type": "multipart/form-data; boundary=x", "content-length": String(200 * 1024 * 1024) };
    const { status, body } = await raw({ headers, parts: ["--x\r\n"] });
    expect([status, body.code, body.limit_bytes]).toEqual([413, "body_too_large", 104857600]);
  });

  it.each([
    [
      "without its end",
      "multipart/form-data; boundary=x",
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
    ],
    ["without a boundary", "multipart/form-data", "abc"],
  ])("refuses a body %s", async (_what, type, text) => {
    const { status, body } = await raw({
      headers: { "content-type": type, "content-length": String(text.length) },
      parts: [text],
      end: true,
    });
    expect([status, body.code]).toEqual([400, "malformed_body"]);
    await eventually(() => expect(uploads()).toEqual([]));
  });

  it("takes null for a part that may be null", async () => {
    const { status, body } = await send(formOf("An owl.", "owl.txt", { review_at: "null", readers: "null" }));
    expect([status, body.review_at, body.readers]).toEqual([202, null, null]);
  });

  it("reads a file in the charset that its part declares", async () => {
    const bytes = new Blob([Buffer.from("Grüße aus Neuchâtel", "latin1")], { type: "text/plain; charset=ISO-8859-1" });
    const { body } = await send(formOf(bytes, "latin.txt"));
    await untilState(body.document_id, "indexed");
    expect(await search("Neuchâtel")).toEqual(["Grüße aus Neuchâtel"]);
  });
});

/** A request with a body piece by piece, which only ends where it is told. */
function raw({ headers, parts, end = false }: { headers: Record<string, string>; parts: string[]; end?: boolean }) {
  return new Promise<{ status: number; body: Record<string, unknown> }>((resolve, reject) => {
    const request = httpRequest(
      app.url + where,
      { method: "POST", headers: { ...headers, authorization: `Bearer ${app.key("admin")}` } },
      (response) => {
        let text = "";
        response.on("data", (chunk) => (text += chunk));
        response.on("end", () => {
          request.destroy();
          resolve({ status: response.statusCode as number, body: JSON.parse(text) });
        });
      },
    );
    request.on("error", reject);
    for (const part of parts) request.write(part);
    if (end) request.end();
  });
}
