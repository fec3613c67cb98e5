import type { Given } from "../command.ts";
import type { Service } from "../http.ts";
import { installResult, preview as previewLines } from "../output/marketplace-summaries.ts";
import { confirmed } from "../prompt.ts";
import { Cancelled, exits, type Terminal } from "../terminal.ts";
import { ask, type InstallOutcome, type PreviewShown } from "./calls.ts";
import { setUp } from "./set-up.ts";

export interface Installing {
  readonly given: Given;
  readonly service: Service;
  readonly preview: PreviewShown;
  readonly question: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Shows the requested permissions, asks, and makes the call with the consent to exactly these. Returns the exit status. */
export async function carryOutConsent({ given, service, preview, question, path, body }: Installing): Promise<number> {
  const { terminal, options, json } = given;
  const dryRun = options.dryRun;
  const asks = !options.yes && !dryRun;
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

async function told({ terminal, options, json }: Given, service: Service, outcome: InstallOutcome): Promise<number> {
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
  if (options.setUp) return setUp(storyOf(terminal, service, json), install.install_id);
  if (!json && open) terminal.stderr.write(`aos marketplace set-up ${install.install_id} follows the next steps.\n`);
  return exits.done;
}

export const storyOf = (terminal: Terminal, service: Service, json: boolean) => ({
  service,
  terminal,
  say: (line: string) => void (json ? terminal.stderr : terminal.stdout).write(`${line}\n`),
});

const screenOf = (terminal: Terminal): Terminal => ({ ...terminal, isTTY: terminal.showsProgress === true });
