import { createHash } from "node:crypto";
import { type SinkAccess, SinkFault } from "../../ports.ts";
import type { BatchHead, Sending, SinkBatch } from "../batch.ts";
import type { S3SinkCredentials, S3Target } from "../target-schemas.ts";
import { Answered, expectTaken } from "./answer.ts";

/** Digits of a place in a name, so that names sort by it. */
const digits = 12;

/** Writes a batch as an object: a line that says what it covers, and one for each record. A range that is sent again has the same name. */
export async function sendS3(
  access: SinkAccess,
  target: S3Target,
  credentials: S3SinkCredentials,
  { head, records }: SinkBatch,
  { epoch, signal }: Sending,
): Promise<void> {
  const name = objectName(target, epoch, head);
  const url = `${target.endpoint.replace(/\/+$/, "")}/${target.bucket}/${name.split("/").map(encodeURIComponent).join("/")}`;
  const body = [JSON.stringify({ batch: head }), ...records.map(({ line }) => line), ""].join("\n");
  const digest = createHash("sha256").update(body).digest("hex");
  const headers = await signed(target, credentials, url, {
    "content-type": "application/x-ndjson",
    "x-amz-content-sha256": digest,
  });
  const answer = await access.send({ url, method: "PUT", headers, body, signal });
  const said = /<Code>([A-Za-z]{1,60})<\/Code>/.exec(answer.body)?.[1];
  if (answer.status === 401 || answer.status === 403)
    throw new SinkFault(
      "forbidden",
      `\`${new URL(url).host}\` does not let the credentials write to ${target.bucket} (${said ?? answer.status}). Check them and their rights.`,
    );
  if (said !== undefined) throw new SinkFault("status", `\`${new URL(url).host}\` answered ${answer.status} ${said}.`);
  expectTaken(answer, url);
  // A page of a proxy has none: what answers must have stored the object.
  if (!answer.headers.etag)
    throw new Answered(
      "not_taken",
      `\`${new URL(url).host}\` answered ${answer.status} without the \`ETag\` of an object that was stored.`,
      answer,
    );
}

/**
 * `<prefix><environment>/<sink>/<number of the log>/<first place>-<last place>.jsonl`: sinks that share a bucket and prefix overwrite nothing of each other, and an adoption opens
 * another log, whose places begin at 0 again.
 */
export function objectName(
  { prefix = "" }: Pick<S3Target, "prefix">,
  epoch: number,
  {
    environment,
    sink_id,
    first_leaf,
    last_leaf,
  }: Pick<BatchHead, "environment" | "sink_id" | "first_leaf" | "last_leaf">,
): string {
  const place = (leaf: number): string => String(leaf).padStart(digits, "0");
  return `${prefix}${environment}/${sink_id}/${epoch}/${place(first_leaf)}-${place(last_leaf)}.jsonl`;
}

/** AWS Signature Version 4. */
async function signed(
  { region = "us-east-1" }: S3Target,
  { access_key_id: accessKeyId, secret_access_key: secretAccessKey }: S3SinkCredentials,
  url: string,
  given: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const { AwsV4Signer } = await import("aws4fetch");
  const signer = new AwsV4Signer({
    url,
    method: "PUT",
    headers: given,
    accessKeyId,
    secretAccessKey,
    service: "s3",
    region,
  });
  const { headers } = await signer.sign();
  return Object.fromEntries([...headers].filter(([name]) => name !== "host"));
}
