import { beforeAll, expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import { systemClock } from "../../../kernel/clock.ts";
import { createIds } from "../../../kernel/ids.ts";
import { createDownloadPort } from "../../../outbound/download-port.ts";
import { useApp } from "../../../testing/app.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { createIngestJob } from "../ingest/jobs/ingest.ts";

const app = useApp();
const worker = useWorkerProcess(app);
const documents = "/v1/knowledge/bases/notes/documents";
const add = async (given: object[]) =>
  (await app.call("POST", `${documents}/bulk`, { body: { documents: given } })).body;
const work = (id: string) => {
  const parts = { db: createReader(worker.database.pool), inside: worker.inside };
  const port = createDownloadPort({ outboundAllow: [] });
  return createIngestJob(
    { ...parts, clock: systemClock, newId: createIds(systemClock) },
    port,
  )({
    ...app.scope,
    document: id,
  });
};
const chunksOf = async (id: string) => (await app.call("GET", `${documents}/${id}/chunks`)).body.data;

beforeAll(async () => {
  expect((await app.call("POST", "/v1/knowledge/bases", { body: { name: "notes" } })).status).toBe(201);
});

interface Result {
  readonly status: number;
  readonly document: { readonly document_id: string; readonly state: string } | null;
  readonly errors: readonly { readonly pointer: string }[];
}

it("takes Markdown and HTML among plain texts, and parses them after the answer", async () => {
  const page =
    "<nav>Home</nav><h1>Rugs</h1><table><tr><th>size<th>price<tr><td>small<td>90</table><footer>Porto</footer>";
  const given = [
    { external_id: "fees", text: "# Fees\n\n## Weaving\n\nWeaving costs 400.", media_type: "text/markdown" },
    { external_id: "plain", text: "Plain." },
    { external_id: "rugs", text: page, media_type: "text/html" },
    { external_id: "record", fields: { a: 1 }, media_type: "text/html" },
    { external_id: "blank", text: " ", media_type: "text/markdown" },
  ];
  const added = await add(given);
  expect(added).toMatchObject({ added: 3, failed: 2 });
  const results: Result[] = added.results;
  expect(results.map(({ status, document, errors }) => [status, document?.state ?? errors[0]?.pointer])).toEqual([
    [202, "queued"],
    [202, "indexed"],
    [202, "queued"],
    [422, "/media_type"],
    [422, "/text"],
  ]);
  for (const at of [0, 2]) await work(results[at]?.document?.document_id ?? "");
  expect(await chunksOf("fees")).toMatchObject([{ headings: ["Fees", "Weaving"] }]);
  expect(await chunksOf("rugs")).toMatchObject([
    { text: "Rugs\n\n| size | price |\n| --- | --- |\n| small | 90 |", headings: ["Rugs"] },
  ]);
  expect(await add(given)).toMatchObject({ added: 0, replaced: 0, unchanged: 3, failed: 2 });
});
