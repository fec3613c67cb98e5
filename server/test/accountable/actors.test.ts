import { expectTypeOf, it } from "vitest";
import type { addTurn } from "../../src/features/chat/turns/store.ts";
import type { insertSchedule } from "../../src/features/schedules/store.ts";
import type { acceptTask } from "../../src/features/tasks/dispatch/accept.ts";
import type { startRun } from "../../src/features/workflows/runs/start.ts";
import type { insertTrigger } from "../../src/features/workflows/triggers/store.ts";
import type { Actor, StoredActor } from "../../src/kernel/actor.ts";

// `npm run verify` compiles this; nothing of it runs.

type ActorOfTrigger = Parameters<typeof insertTrigger>[1]["actor"];

it("what makes something act takes an Actor, by its type", () => {
  expectTypeOf<Parameters<typeof acceptTask>[1]>().toEqualTypeOf<Actor>();
  expectTypeOf<Parameters<typeof startRun>[1]>().toEqualTypeOf<Actor>();
  expectTypeOf<Parameters<typeof addTurn>[1]>().toEqualTypeOf<Actor>();
  expectTypeOf<Parameters<typeof insertSchedule>[1]>().toEqualTypeOf<Actor>();
  expectTypeOf<ActorOfTrigger>().toEqualTypeOf<Actor>();
});

it("neither a member's id, nor what a row holds, nor an object of the same shape is an Actor, by its type", () => {
  expectTypeOf<string>().not.toExtend<Actor>();
  expectTypeOf<StoredActor>().not.toExtend<Actor>();
  expectTypeOf<Pick<Actor, "owner" | "credential" | "bounds" | "persons">>().not.toExtend<Actor>();
});
