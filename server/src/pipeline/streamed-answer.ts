import { Refusal } from "../kernel/errors.ts";
import { callerOf } from "../kernel/principal.ts";
import type { Answer } from "./call.ts";
import { streamEffect } from "./effect.ts";
import { chooseForm } from "./form.ts";
import { endingWith } from "./limits/open-streams.ts";
import type { Validated } from "./stages.ts";

/** How a change is answered whose caller wants to follow what becomes of it. */
export interface StreamedAnswer {
  /** The answer as the record has it: its head. */
  head(answer: Answer): Answer;
  /** The answer with the stream behind it. Where that cannot begin, the answer as it was: the change is durable, and the answer may not deny it. */
  follow(validated: Validated, answer: Answer, output: unknown): Promise<Answer>;
  /** Gives the place among the streams back where none was begun. */
  abandon(): void;
}

/** Takes a place among the streams of this process, before anything is written, where Accept asks for a stream; null where it asks for none. */
export function openAnswer(validated: Validated): StreamedAnswer | null {
  const { spec, call, machine, principal, scope } = validated;
  const form = spec.streams ? chooseForm(spec, call.accept) : null;
  if (form?.kind !== "streamed") return null;
  const { type } = form;
  const leave = machine.streams.take(callerOf(principal, scope));
  const head = (answer: Answer): Answer => ({ ...answer, contentType: type, body: "" });
  return {
    head,
    async follow(done, answer, output) {
      try {
        return { ...head(answer), stream: endingWith(await streamEffect(done, type, output), leave) };
      } catch (error) {
        leave();
        if (!(error instanceof Refusal)) machine.report(error, call.requestId, spec.id);
        return answer;
      }
    },
    abandon: leave,
  };
}
