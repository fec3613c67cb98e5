import { confirmed } from "../ask.ts";
import type { Given } from "../call-command.ts";
import { isSet } from "../flags.ts";
import type { Service } from "../http.ts";
import { installResult, preview as previewLines } from "../output/marketplace-summaries.ts";
import { Cancelled, exits, type Terminal } from "../terminal.ts";
import { ask, type InstallOutcome, type PreviewShown } from "./calls.ts";
import { setUp } from "./set-up.ts";

/** Options of what installs or updates. */
export const consentFlags = [
  { name: "yes", short: "y", boolean: true, description: "agrees to the permissions without being asked" },
  { name: "set-up", boolean: true, description: "then follows the next steps: trains, measures, deploys" },
  { name: "dry-run", boolean: true, description: "shows what it asks for and would make, and makes nothing" },
];

export interface Installing {
  readonly given: Given;
  readonly service: Service;
  readonly preview: PreviewShown;
  /** Asked before the call. */
  readonly question: string;
  /** The call that does it. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Shows what is asked for, asks, makes the call with the consent to exactly that, and tells what came of it. Returns the exit status. */
export async function carryOutConsent({ given, service, preview, question, path, body }: Installing): Promise<number> {
  const { terminal, parsed, json } = given;
  const dryRun = isSet(parsed, "dry-run");
  const asks = !isSet(parsed, "yes") && !dryRun;
  if (json && dryRun) terminal.stdout.write(`${JSON.stringify(preview, null, 2)}\n`);
  else if (asks || !json)
    terminal.stderr.write(`${(previewLines({ ...preview }, screenOf(terminal)) ?? []).join("\n")}\n`);
  if (preview.faults.length > 0) {
    if (preview.parts.some(({ taken }) => taken))
      terminal.stderr.write("Names that are taken: install it with --suffix=-2.\n");
    return exits.failed;
  }
  if (dryRun) return exits.done;
  if (asks && !(await confirmed(question, terminal))) throw new Cancelled("Nothing was installed.");
  const consent = { permissions: preview.permissions_digest, publisher_key: preview.publisher.key_id };
  const outcome = await ask<InstallOutcome>(service, "POST", path, {
    json: { digest: preview.digest, consent, ...body },
  });
  return told(given, service, outcome);
}

async function told({ terminal, parsed, json }: Given, service: Service, outcome: InstallOutcome): Promise<number> {
  terminal.stdout.write(
    json ? `${JSON.stringify(outcome, null, 2)}\n` : `${(installResult({ ...outcome }, terminal) ?? []).join("\n")}\n`,
  );
  const { install, failed } = outcome;
  if (failed > 0 || install === null) {
    if (!json && install !== null)
      terminal.stderr.write(
        `Some parts failed. Put it right, then: aos marketplace installs reset ${install.install_id}\n`,
      );
    return exits.failed;
  }
  const open = install.next_steps.some(({ done }) => !done);
  if (isSet(parsed, "set-up")) return setUp(storyOf(terminal, service, json), install.install_id);
  if (!json && open) terminal.stderr.write(`aos marketplace set-up ${install.install_id} follows the next steps.\n`);
  return exits.done;
}

/** Where the story of a set-up is told: not among what programs read. */
export const storyOf = (terminal: Terminal, service: Service, json: boolean) => ({
  service,
  terminal,
  say: (line: string) => void (json ? terminal.stderr : terminal.stdout).write(`${line}\n`),
});

const screenOf = (terminal: Terminal): Terminal => ({ ...terminal, isTTY: terminal.showsProgress === true });
