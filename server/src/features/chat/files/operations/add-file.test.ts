import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { insertConversation } from "../../chat.fixture.ts";

const app = useSharedApp();

async function send(id: string, bytes: string | Buffer<ArrayBuffer>, type: string, name: string) {
  const form = new FormData();
  form.append("file", new Blob([bytes], { type }), name);
  const headers = { authorization: `Bearer ${app.key("operator")}` };
  const url = `${app.url}/v1/chat/conversations/${id}/files`;
  const response = await fetch(url, { method: "POST", headers, body: form });
  // biome-ignore lint/suspicious/noExplicitAny: looked into below
  return { status: response.status, body: (await response.json()) as any };
}
const textsOf = async (ids: string[]) =>
  (await app.pool.query("select text from chat_files where id = any($1) order by name", [ids])).rows.map(
    ({ text }) => text,
  );

it("keeps the bytes and the text of a file, and hands it out as bytes alone", async () => {
  const id = await insertConversation(app);
  const page = "<title>Prices</title><main><p>All are of wool.<script>alert(1)</script></main>";
  const html = await send(id, page, "text/html", "prices.html");
  expect(html.status, JSON.stringify(html.body)).toBe(201);
  expect(html.body).toMatchObject({ name: "prices.html", media_type: "text/html", size: page.length });
  const table = await send(id, "id,name\n7,Amber\n", "text/csv", "leads.csv");
  const image = await send(id, Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), "image/png", "a.png");
  expect(image.body).toMatchObject({ media_type: "image/png", characters: null });
  const ids = [table, html, image].map(({ body }) => body.file_id);
  expect(await textsOf(ids)).toEqual([null, '{"id":"7","name":"Amber"}\n', "All are of wool."]);
  const other = await insertConversation(app);
  const path = `/files/${html.body.file_id}`;
  const accept = { headers: { accept: "application/octet-stream" } };
  const bytes = await app.call("GET", `/v1/chat/conversations/${id}${path}`, accept);
  expect(bytes.text).toBe(page);
  expect(bytes.headers.get("content-type")).toBe("application/octet-stream");
  expect(bytes.headers.get("x-content-type-options")).toBe("nosniff");
  expect((await app.call("GET", `/v1/chat/conversations/${other}${path}`)).status).toBe(404);
});

it("refuses what cannot be read, what is too large, and files of a closed or full conversation", async () => {
  const id = await insertConversation(app);
  const damaged = await send(id, "%PDF-1.7", "application/pdf", "a.pdf");
  expect([damaged.status, damaged.body.errors?.[0]]).toEqual([
    422,
    expect.objectContaining({ pointer: "/file", code: "damaged" }),
  ]);
  const large = await send(id, "x".repeat(10 * 1024 * 1024 + 1), "text/plain", "large.txt");
  expect(large.status).toBe(413);
  const closed = await insertConversation(app, { state: "closed" });
  expect((await send(closed, "x", "text/plain", "a.txt")).body.code).toBe("wrong_state");
  await app.pool.query(
    `insert into chat_files (organization, environment, conversation, id, name, media_type, size, sha256, content, audit_ref, created_at)
     select 'default', 'development', $1, 'fil_' || n, 'x', 'x', 1, 'x', 'x', 'x', now() from generate_series(1, 100) n`,
    [id],
  );
  expect((await send(id, "x", "text/plain", "a.txt")).body.code).toBe("wrong_state");
});
