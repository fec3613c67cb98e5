import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { byObject } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { overloaded } from "../../../../kernel/problems.ts";
import { readerTokens } from "../../access.ts";
import { exampleBase } from "../../example.ts";
import { ofKnownBase } from "../../narrowing.ts";
import { BaseRef } from "../../schemas.ts";
import { exampleTest } from "../example.ts";
import { findSearchedBase } from "../question-store.ts";
import { runTest } from "../run-test.ts";
import { RetrievalTest, TestBaseBody } from "../schemas.ts";

/** Tests of one process at a time: each holds a connection to the database. */
const mostAtATime = 2;
let running = 0;

export const testBase = defineOperation({
  id: "knowledge.testBase",
  method: "POST",
  path: "/v1/knowledge/bases/{base}/test",
  summary: "Test how well a base answers questions",
  description:
    "Asks up to 1,000 questions of yours, within what the caller may read, and compares what is found with what you expect: figures with intervals, the score of each question, and those that missed with what stood at the top. Takes up to 90 seconds. Questions of a test are no gaps.",
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
  narrowing: byObject("a base that one of the key's agents names, in its draft or a version", ofKnownBase),
  gate: exempt("searches only; no agent acts"),
  decides: exempt("asks questions and stores no text"),
  compliance: governs("knowledge.test"),
  audit: ({ params, loaded }) => `base:${loaded?.id ?? params.base}`,
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
