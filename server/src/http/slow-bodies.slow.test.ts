import { request as httpRequest } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import { useApp } from "../testing/app.ts";

const patience = 1_000;
const app = useApp({ requestPatience: patience });
beforeAll(async () => {
  expect((await app.call("POST", "/v1/knowledge/bases", { body: { name: "slow" } })).status).toBe(201);
});

it("takes a file that arrives slower than other bodies may", async () => {
  const headers = { "content-type": "multipart/form-data; boundary=x", authorization: `Bearer ${app.key("admin")}` };
  const { status, body } = await new Promise<{ status: number; body: string }>((resolve, reject) => {
    const request = httpRequest(
      `${app.url}/v1/knowledge/bases/slow/documents`,
      { method: "POST", headers },
      (response) => {
        let text = "";
        response.on("data", (chunk) => (text += chunk));
        response.on("end", () => resolve({ status: response.statusCode as number, body: text }));
      },
    );
    request.on("error", reject);
    void (async () => {
      request.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n');
      // The server looks for requests that are late once in its patience.
      for (let at = 0; at < 6; at++) {
        await delay(patience / 2);
        request.write("A line.\n");
      }
      request.end("\r\n--x--\r\n");
    })();
  });
  expect([status, JSON.parse(body)]).toMatchObject([202, { outcome: "added" }]);
});
