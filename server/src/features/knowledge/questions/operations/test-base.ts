import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { overloaded } from "../../../../kernel/problems.ts";
import { readerTokens } from "../../access.ts";
import { aboutBase, byKnownBase } from "../../bases/narrowing.ts";
import { exampleBase } from "../../example.ts";
import { BaseRef } from "../../schemas.ts";
import { exampleTest } from "../example.ts";
import { runTest } from "../run-test.ts";
import { RetrievalTest, TestBaseBody } from "../schemas.ts";
import { findSearchedBase } from "../store.ts";

/** Per process: each test holds a database connection. */
const mostAtATime = 2;
let running = 0;

export const testBase = defineOperation({
  id: "knowledge.testBase",
  method: "POST",
  path: "/v1/knowledge/bases/{base}/test",
  summary: "Test how well a base answers questions",
  description:
    "Asks up to 1,000 questions of yours, within what the caller may read, and compares what is found with what you expect: figures with intervals, the score of each question, and those that missed with what stood at the top. Takes up to 90 seconds. Test questions do not count as gaps.",
  params: Type.Object({ base: BaseRef }),
  body: TestBaseBody,
  bounds: { values: 25_000 },
  output: RetrievalTest,
  example: {
    params: { base: exampleBase.name },
    body: { questions: [{ question: "Which lead makes textiles?", expected: ["ld_1001"] }] },
    output: exampleTest,
  },
  permission: "knowledge:read",
  load: (ctx, { base }) => findSearchedBase(ctx, base),
  narrowing: byKnownBase,
  gate: exempt("searches only; no agent acts"),
  decides: exempt("asks questions and stores no text"),
  compliance: governs("knowledge.test"),
  audit: aboutBase,
  async handle(ctx, { loaded, body }) {
    if (running >= mostAtATime)
      throw refuse(overloaded, "Two bases are being tested already; try again in a minute.", {
        headers: { "Retry-After": "60" },
      });
    running++;
    try {
      return await runTest(ctx, loaded, body.questions, readerTokens(ctx.principal));
    } finally {
      running--;
    }
  },
});
