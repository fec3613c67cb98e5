import { Refusal } from "../kernel/errors.ts";
import type { SealedSpec } from "../kernel/operation-seal.ts";
import { callerOf } from "../kernel/principal.ts";
import { askAgain } from "./authenticate.ts";
import type { Answer } from "./call.ts";
import { awaitEffect, streamEffect } from "./effect.ts";
import { chooseForm, hasForms } from "./form.ts";
import { endingWith } from "./limits/open-streams.ts";
import { secondsToWait } from "./prefer.ts";
import type { Settled, Validated } from "./stages.ts";

/** The answer of a change in another form than its output as JSON: another representation, or what becomes of the change. */
export interface LaterAnswer {
  /** The answer as the record has it: its head where the rest is known later. */
  head(answer: Answer, output: unknown): Answer;
  /** The settled call with what became of it. Where that cannot be known, as it was: the change is durable, and the answer may not deny it. */
  complete(validated: Validated, settled: Settled): Promise<Settled>;
  /** Gives back what it holds where nothing was changed. */
  abandon(): void;
}

/** What Accept and Prefer ask for beyond the output of the handler; null: nothing. A stream has its place before anything is written. */
export function openLaterAnswer(validated: Validated): LaterAnswer | null {
  const { spec, call, machine, principal, scope } = validated;
  const form = hasForms(spec) ? chooseForm(spec, call.accept) : null;
  if (form?.kind === "written") return writtenAnswer(spec, form.type);
  if (form?.kind === "streamed") {
    const { type } = form;
    const leave = machine.streams.take(callerOf(principal, scope));
    const head = (answer: Answer): Answer => ({ ...answer, contentType: type, body: "" });
    const stream = async (done: Validated, { answer, output }: Settled) => ({
      ...head(answer),
      stream: endingWith(await streamEffect(done, type, output), leave),
    });
    return { head, complete: orAsItWas(stream, leave), abandon: leave };
  }
  if (!spec.awaits || secondsToWait(call.prefer) === 0) return null;
  const wait = async (done: Validated, { answer, output }: Settled) => {
    const body = JSON.stringify(await awaitEffect(done, output));
    await askAgain(done);
    return { ...answer, body };
  };
  return { head: (answer) => ({ ...answer, body: "" }), complete: orAsItWas(wait), abandon: () => undefined };
}

function writtenAnswer({ writes }: SealedSpec, type: string): LaterAnswer {
  const write = writes?.[type]?.write as unknown as (output: unknown) => string;
  const head = (answer: Answer, output: unknown): Answer => ({ ...answer, contentType: type, body: write(output) });
  return {
    head,
    complete: async (_done, settled) => ({ ...settled, answer: head(settled.answer, settled.output) }),
    abandon: () => undefined,
  };
}

type Complete = (validated: Validated, settled: Settled) => Promise<Answer>;

/** Reports what is no refusal. */
function orAsItWas(complete: Complete, leave?: () => void): LaterAnswer["complete"] {
  return async (validated, settled) => {
    try {
      return { ...settled, answer: await complete(validated, settled) };
    } catch (error) {
      leave?.();
      const { machine, call, spec } = validated;
      if (!(error instanceof Refusal)) machine.report(error, call.requestId, spec.id);
      return settled;
    }
  };
}
