import { setTimeout as after } from "node:timers/promises";
import { operations } from "@aos/sdk/operations";
import type { Reply, Sending, Service } from "../http.ts";
import { quoted } from "../operations/example.ts";
import { waitFor } from "../operations/wait.ts";
import { stepLines } from "../output/marketplace-summaries.ts";
import { progressOn } from "../output/progress.ts";
import { problemOf } from "../problems.ts";
import { exits, now, painter, printable, type Terminal } from "../terminal.ts";
import { ask, type InstallShown, installPath, mustBeFine } from "./calls.ts";

type Step = InstallShown["next_steps"][number];

/** Milliseconds until a step must count as done after its call has ended, for example the verdict of a gate. */
const settling = 60_000;
const pause = 300;

export interface SetUp {
  readonly service: Service;
  readonly terminal: Terminal;
  /** Lines for people; nothing with `--json`. */
  readonly say: (line: string) => void;
}

/**
 * Follows an install's next steps as far as calls can: trains, measures, activates, deploys, each when the one before is done. Returns the exit status: 0 where
 * all of them are done.
 */
export async function setUp(story: SetUp, id: string): Promise<number> {
  const called = new Set<string>();
  for (;;) {
    const install = await readInstall(story, id);
    const step = install.next_steps.find(({ done, step }) => !done && step !== "try");
    if (step === undefined) return ready(story, install);
    const call = JSON.stringify([step.operation, step.params, step.body]);
    if (step.operation === null || called.has(call)) {
      if (called.size > 0 && (await settles(story, id, step))) continue;
      return blocked(story, install, step);
    }
    called.add(call);
    await carryOut(story, step);
    await settles(story, id, step);
  }
}

const readInstall = ({ service }: SetUp, id: string): Promise<InstallShown> =>
  ask<InstallShown>(service, "GET", installPath(id));

async function carryOut(story: SetUp, step: Step): Promise<void> {
  const { service, terminal, say } = story;
  const operation = operations[step.operation as keyof typeof operations];
  const path = operation.pathParameters.reduce(
    (text: string, { name }) => text.replace(`{${name}}`, encodeURIComponent(String(step.params[name]))),
    operation.path,
  );
  say(`${printable(step.title)} …`);
  const sending = {
    ...(operation.body === null ? {} : { json: step.body }),
    ...(step.if_match === null ? {} : { ifMatch: step.if_match }),
  };
  const reply = await callOnceOpen(service, operation.method, path, sending);
  const request = { method: operation.method, path, query: new URLSearchParams(), sending };
  mustBeFine(await waitFor({ service, terminal }, request, reply));
}

/** Milliseconds for which a gate that just opened may still refuse a deployment. */
const spreading = 5_000;

async function callOnceOpen(service: Service, method: string, path: string, sending: Sending): Promise<Reply> {
  for (const began = now(); ; await after(pause)) {
    const reply = await service.call(method, path, sending);
    if (problemOf(reply)?.code === "evaluation_gate_failed" && now() - began < spreading) continue;
    mustBeFine(reply);
    return reply;
  }
}

/** Waits until the step counts as done, or another one stands in its place. */
async function settles(story: SetUp, id: string, { step, title }: Step): Promise<boolean> {
  const progress = progressOn(story.terminal);
  try {
    for (const began = now(); now() - began < settling; await after(pause)) {
      const { next_steps } = await readInstall(story, id);
      const left = next_steps.find((one) => !one.done && one.step !== "try");
      if (left === undefined || left.step !== step || left.title !== title) return true;
      if (left.step === "gate" && /is closed|cannot decide/.test(left.title)) return false;
      progress.say(`${printable(title)} … ${Math.round((now() - began) / 1000)} s`);
    }
    return false;
  } finally {
    progress.done();
  }
}

function ready({ terminal, say }: SetUp, install: InstallShown): number {
  say(`${painter(terminal).added(printable(install.title))} is set up.`);
  const trial = install.next_steps.find(({ step }) => step === "try");
  if (trial !== undefined && trial.operation === "agents.dispatchTask") {
    const { agent } = trial.params;
    const { task, input } = trial.body as { task?: string; input?: unknown };
    say(
      `Try it:\n  aos tasks dispatch ${[agent, task].map((word) => quoted(String(word))).join(" ")} --input ${quoted(printable(JSON.stringify(input)))} --wait`,
    );
  }
  return exits.done;
}

function blocked({ say }: SetUp, install: InstallShown, step: Step): number {
  say(`This is left to do before the rest: ${printable(step.title)}`);
  say(stepLines(install.next_steps).slice(1).join("\n"));
  say(`Then go on with: aos marketplace set-up ${install.install_id}`);
  return exits.failed;
}
