import { expect, it } from "vitest";
import type { Resolve } from "./index.ts";
import { createWebhookPort } from "./webhook-port.ts";

it("a target is looked up by a few calls at a time, and nobody waits for those: each connection is checked anyway", async () => {
  const hanging: PromiseWithResolvers<readonly { address: string }[]>[] = [];
  const resolve: Resolve = () => {
    const one = Promise.withResolvers<readonly { address: string }[]>();
    hanging.push(one);
    return one.promise;
  };
  const port = createWebhookPort({ credentialKey: Buffer.alloc(32), outboundAllow: [], resolve });
  const check = (at: number) => port.checkTarget("production", `https://hooks-${at}.test/`);
  const first = [1, 2, 3].map(check);
  expect(await Promise.race([...first, ...[4, 5].map(check).map((one) => one.then(() => "at once"))])).toBe("at once");
  expect(hanging).toHaveLength(3);
  for (const one of hanging) one.resolve([{ address: "10.0.0.1" }]);
  expect((await Promise.all(first)).map((fault) => fault?.code)).toEqual(Array(3).fill("address_refused"));
  const later = check(6);
  hanging[3]?.resolve([{ address: "10.0.0.1" }]);
  expect(await later).toMatchObject({ pointer: "/url", code: "address_refused" });
});
