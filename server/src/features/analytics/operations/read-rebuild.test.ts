import { expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";

const app = useApp();

it("is not found where nothing was ever counted anew", async () => {
  const { status, body } = await app.call("GET", "/v1/analytics/rebuild");
  expect([status, body.detail]).toEqual([404, "Figures of development were never counted anew."]);
});
