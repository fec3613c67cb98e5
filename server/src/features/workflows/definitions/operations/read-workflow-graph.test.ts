import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { savedDraft } from "../checks.fixture.ts";

const app = useSharedApp();

it("answers the draft as nodes and edges, and as Mermaid", async () => {
  const workflow = await savedDraft(app, {
    workflow: "drawn",
    steps: [
      { id: "a", set: {} },
      { id: "b", end: {} },
    ],
  });
  const read = (headers = {}) => app.call("GET", `/v1/workflows/${workflow}/graph`, { headers });
  expect((await read()).body).toMatchObject({ version: null, edges: [{ from: "a", to: "b", kind: "needs" }] });
  const drawn = await read({ accept: "text/vnd.mermaid" });
  expect(drawn.text).toBe('flowchart TD\n  n0["a: set"]\n  n1(("b: end"))\n  n0 --> n1\n');
  expect((await app.call("GET", `/v1/workflows/${workflow}/graph?version=9`)).status).toBe(404);
});
