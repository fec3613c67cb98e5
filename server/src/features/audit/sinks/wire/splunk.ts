import type { SinkAccess } from "../../ports.ts";
import type { Sending, SinkBatch } from "../batch.ts";
import type { SplunkCredentials, SplunkTarget } from "../target-schemas.ts";
import { Answered, expectTaken, membersIn } from "./answer.ts";

/** Posts a batch to the HTTP Event Collector: an event for each record, and one of source type `<sourcetype>:batch` that says what they cover. */
export async function sendSplunk(
  access: SinkAccess,
  { url: base, index, source = "aos", sourcetype = "aos:audit" }: SplunkTarget,
  { token }: SplunkCredentials,
  { key, head, records }: SinkBatch,
  { now, signal }: Sending,
): Promise<void> {
  const url = `${base.replace(/\/+$/, "")}/services/collector/event`;
  const common = `"host":${JSON.stringify(head.log)},"source":${JSON.stringify(source)}${index === undefined ? "" : `,"index":${JSON.stringify(index)}`}`;
  const events = records.map(({ index: leaf, record, line }) => {
    const fields = `{"aos_leaf_index":${leaf},"aos_batch":${JSON.stringify(key)}}`;
    return `{"time":${Date.parse(record.time) / 1_000},${common},"sourcetype":${JSON.stringify(sourcetype)},"fields":${fields},"event":${line}}`;
  });
  const last = `{"time":${now / 1_000},${common},"sourcetype":${JSON.stringify(`${sourcetype}:batch`)},"fields":{"aos_batch":${JSON.stringify(key)}},"event":${JSON.stringify(head)}}`;
  const headers = { authorization: `Splunk ${token}`, "content-type": "application/json; charset=utf-8" };
  const answer = await access.send({ url, method: "POST", headers, body: [...events, last].join("\n"), signal });
  expectTaken(answer, url);
  const { code } = membersIn(answer.body) ?? {};
  if (code !== 0)
    throw new Answered(
      "not_taken",
      `\`${new URL(url).host}\` answers ${answer.status}, and not with the code 0 of a collector that took everything.`,
      answer,
    );
}
