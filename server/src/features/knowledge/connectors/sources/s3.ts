import path from "node:path";
import { AwsV4Signer } from "aws4fetch";
import { XMLParser } from "fast-xml-parser";
import { type SourceAnswer, SourceFault } from "../../ports.ts";
import type { S3Credentials, S3Source } from "../source-schemas.ts";
import { isSelected, MOST_BYTES, type ReadItem, type SourceItem, type SourceReading } from "./source.ts";

interface ListedObject {
  readonly Key: string;
  readonly ETag?: string;
  readonly Size: string;
  readonly LastModified: string;
}

interface Listing {
  readonly Contents?: readonly ListedObject[];
  readonly IsTruncated?: string;
  readonly NextContinuationToken?: string;
}

const xml = new XMLParser({ parseTagValue: false, isArray: (name) => name === "Contents" });

export async function* listObjects(source: S3Source, reading: SourceReading): AsyncGenerator<SourceItem> {
  const most = source.most_items ?? 100_000;
  let taken = 0;
  let token: string | undefined;
  do {
    const page = await listPage(source, reading, token);
    for (const found of page.Contents ?? []) {
      const key = decodeURIComponent(found.Key.replaceAll("+", " "));
      if (key.endsWith("/") || !isSelected(key, source)) continue;
      if (++taken > most) return reading.partial(`The bucket holds more than ${most} objects that are asked for.`);
      const fingerprint = `${found.ETag ?? found.LastModified}-${found.Size}`;
      const read = () => readObject(source, reading, key, { ...found, fingerprint });
      yield { item: key, fingerprint, size: Number(found.Size), read };
    }
    token = page.IsTruncated === "true" ? page.NextContinuationToken : undefined;
  } while (token !== undefined);
}

async function listPage(source: S3Source, reading: SourceReading, token: string | undefined): Promise<Listing> {
  const query = new URLSearchParams({ "list-type": "2", "encoding-type": "url", prefix: source.prefix ?? "" });
  if (token !== undefined) query.set("continuation-token", token);
  const answer = await send(source, reading, `?${query}`, {});
  if (answer.status !== 200) throw refusedBy(answer, source, `list the bucket ${source.bucket}`);
  const listing = (xml.parse(Buffer.from(answer.body).toString()) as { ListBucketResult?: Listing }).ListBucketResult;
  if (listing === undefined)
    throw new SourceFault("not_s3", `\`${hostOf(source)}\` does not answer as an S3 service does.`);
  return listing;
}

async function readObject(
  source: S3Source,
  reading: SourceReading,
  key: string,
  { fingerprint, Size, LastModified }: ListedObject & { fingerprint: string },
): Promise<ReadItem | undefined> {
  if (Number(Size) > MOST_BYTES) throw new SourceFault("too_large", "The object is larger than 100 MiB.");
  const answer = await send(source, reading, `/${key.split("/").map(encodeURIComponent).join("/")}`, {
    maxBytes: MOST_BYTES,
  });
  if (answer.status === 404) return undefined;
  if (answer.status !== 200) throw refusedBy(answer, source, "read the object");
  const type = answer.headers["content-type"]?.split(";")[0]?.trim() ?? null;
  const contents = {
    ...({ kind: "file", title: null, url: null } as const),
    file_name: path.posix.basename(key),
    media_type: type === "application/octet-stream" || type === "binary/octet-stream" ? null : type,
    bytes: answer.body,
    metadata: { bucket: source.bucket, key, modified: LastModified },
  };
  return { fingerprint, contents };
}

async function send(
  source: S3Source,
  reading: SourceReading,
  rest: string,
  limits: { maxBytes?: number },
): Promise<SourceAnswer> {
  const url = `${source.endpoint.replace(/\/+$/, "")}/${source.bucket}${rest}`;
  const headers = await signed(source, reading.credentials as S3Credentials | null, url);
  return reading.access.send({ url, headers, signal: reading.signal, timeoutMs: 120_000, ...limits });
}

/** AWS Signature Version 4. */
async function signed(
  source: S3Source,
  credentials: S3Credentials | null,
  url: string,
): Promise<Record<string, string>> {
  if (credentials === null) return {};
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey } = credentials;
  const region = source.region ?? "us-east-1";
  const { headers } = await new AwsV4Signer({ url, accessKeyId, secretAccessKey, service: "s3", region }).sign();
  return Object.fromEntries([...headers].filter(([name]) => name !== "host"));
}

const hostOf = ({ endpoint }: S3Source): string => URL.parse(endpoint)?.host ?? endpoint;

function refusedBy({ status, body }: SourceAnswer, source: S3Source, what: string): SourceFault {
  const host = `\`${hostOf(source)}\``;
  const said = /<Code>([A-Za-z]{1,60})<\/Code>/.exec(Buffer.from(body).toString("latin1").slice(0, 2000))?.[1];
  const because = `${status}${said === undefined ? "" : ` ${said}`}`;
  if (status === 401 || status === 403)
    return new SourceFault(
      "forbidden",
      `${host} does not let the credentials ${what} (${because}). Check them and their rights.`,
    );
  if (status === 404) return new SourceFault("not_found", `${host} has no bucket ${source.bucket} (${because}).`);
  return new SourceFault("unexpected_answer", `${host} could not ${what} (${because}).`, {
    unreachable: status >= 500,
  });
}
