import { expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";

const app = useApp();

it("wrong_state: a sixth secret in a row, until an overlap ends or earlier ones are ended at once", async () => {
  await app.call("POST", "/v1/hooks", { body: { name: "orders" } });
  const rotate = (overlap_seconds: number) =>
    app.call("POST", "/v1/hooks/orders/rotate-secret", { body: { overlap_seconds } });
  for (const _each of [1, 2, 3, 4, 5]) expect((await rotate(3_600)).status).toBe(200);
  const { status, body } = await rotate(3_600);
  expect([status, body.code]).toEqual([409, "wrong_state"]);
  expect((await rotate(0)).body.secret_overlap_until).toBeNull();
});
