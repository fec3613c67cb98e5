// Uploads a file of so many megabytes, made while it is sent, in a process of its own: `node upload-client.fixture.ts <url> <key> <megabytes>`.

const [url = "", key = "", megabytes = "1"] = process.argv.slice(2);

import { ReadableStream } from "node:stream/web";

const boundary = "x-boundary";
const text = Buffer.alloc(1024 * 1024, "a line of text that goes on and on\n");
const head = 'Content-Disposition: form-data; name="file"; filename="large.txt"\r\nContent-Type: text/plain';

async function* parts(): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`);
  for (let sent = 0; sent < Number(megabytes); sent++) yield new Uint8Array(text);
  yield Buffer.from(`\r\n--${boundary}--\r\n`);
}

const headers: Record<string, string> = { "content-type": `multipart/form-data; boundary=${boundary}` };
if (key !== "") headers.authorization = `Bearer ${key}`;
const init = { method: "POST", headers, body: ReadableStream.from(parts()), duplex: "half" } as RequestInit;
const response = await fetch(url, init);
process.stdout.write(JSON.stringify({ status: response.status, body: await response.json() }));
