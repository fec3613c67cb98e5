import { expect, it } from "vitest";
import { refuse } from "./errors.ts";
import type { RunInside } from "./machines.ts";
import { patient } from "./patient.ts";
import { conflict, overloaded } from "./problems.ts";

const call = (inside: () => Promise<unknown>) => patient(inside as unknown as RunInside)({} as never, {} as never, {});

it("tries a call again that a process could not decide for a moment, and no other", async () => {
  let tries = 0;
  const answered = call(async () => {
    if (++tries < 3) throw refuse(overloaded, "It has lost touch.");
    return "done";
  });
  expect(await answered).toBe("done");
  expect(tries).toBe(3);
  let refused = 0;
  const refusing = call(async () => {
    refused++;
    throw refuse(conflict, "It is over.");
  });
  await expect(refusing).rejects.toThrow("wrong_state");
  expect(refused).toBe(1);
});
