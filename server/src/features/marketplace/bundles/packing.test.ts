import { verifyBundle } from "@aos/bundle";
import { expect, it } from "vitest";
import { useSharedApp } from "../../../testing/shared-app.ts";

const app = useSharedApp();

it("leaves documents out that are for some readers alone, whoever packs them", async () => {
  const base = await app.call("POST", "/v1/knowledge/bases", { body: { name: "letters" } });
  expect(base.status, base.text).toBe(201);
  const documents = [
    { external_id: "open", fields: { note: "For all." } },
    { external_id: "hidden", fields: { note: "Salaries." }, readers: ["role:approver"] },
  ];
  for (const body of documents) {
    const added = await app.call("POST", "/v1/knowledge/bases/letters/documents", { body });
    expect(added.status, added.text).toBeLessThan(300);
  }
  const submitted = await app.call("POST", "/v1/marketplace/listings", {
    body: {
      name: "letter-clerk",
      version: "1.0.0",
      title: "Letters",
      summary: "Files letters.",
      limits: ["None."],
      visibility: "public",
      source: { kind: "agent", agent: "sales", version: 1, knowledge: ["letters"] },
    },
  });
  expect(submitted.status, submitted.text).toBe(201);
  const { rows } = await app.pool.query("select file from marketplace_versions where listing_id = $1", [
    submitted.body.listing_id,
  ]);
  const packed = Buffer.from(verifyBundle(rows[0].file).files.get("knowledge/letters.json") ?? "").toString();
  expect(packed).toContain("For all.");
  expect(packed).not.toContain("Salaries.");
});
