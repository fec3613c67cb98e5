import { setTimeout as after } from "node:timers/promises";
import type { Output } from "@aos/sdk";
import { confirmed } from "../ask.ts";
import { type Declared, serviceFlags } from "../call-command.ts";
import { isSet, lastOf } from "../flags.ts";
import type { Service } from "../http.ts";
import { ask, type ListingShown, listingId, listingPath, runMarketplace } from "../marketplace/calls.ts";
import { counted } from "../output/count.ts";
import { progressOn } from "../output/progress.ts";
import { columns } from "../output/summary-parts.ts";
import { tableLines } from "../output/table.ts";
import { Cancelled, CommandError, exits, now, printable, processTerminal, type Terminal } from "../terminal.ts";

type Recall = Output<"marketplace.listRecalls">["data"][number];

const declared: Declared = {
  usage: 'marketplace recall <listing> --reason "…" [options]',
  about: `Recalls a listing, named by its name or id (lst_…): within a minute, kill switches stop what is installed of it in every environment. With --quarantine
until it is approved again; a recall is for good. Waits until every install was reached, and shows what was stopped.`,
  flags: [
    { name: "reason", takes: "<text>", description: "why; people whose work is stopped read it" },
    { name: "quarantine", boolean: true, description: "until it is approved again" },
    { name: "version", takes: "<version>", description: "one version; default: all" },
    { name: "yes", short: "y", boolean: true, description: "recalls without confirmation" },
    ...serviceFlags,
  ],
  positionals: ["listing"],
  examples: ['aos marketplace recall support-routing --quarantine --reason "It sends messages to the wrong team."'],
};
export const { flags } = declared;

/** `aos marketplace recall`. Returns the exit status. */
export const run = (args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> =>
  runMarketplace(declared, args, terminal, async ({ parsed, argument, json }, service) => {
    const reason = lastOf(parsed, "reason");
    if (reason === undefined) throw new CommandError("Say why: people whose work is stopped read --reason.");
    const decision = isSet(parsed, "quarantine") ? "quarantine" : "recall";
    const id = await listingId(service, argument(0));
    const { title, installs } = await ask<ListingShown>(service, "GET", listingPath(id));
    const version = lastOf(parsed, "version");
    const question = `Stop ${title}${version === undefined ? "" : ` ${version}`} (${counted(installs, "install")}) in every environment?`;
    if (!isSet(parsed, "yes") && !(await confirmed(question, terminal))) throw new Cancelled("Nothing was stopped.");
    const body = { decision, reason, ...(version === undefined ? {} : { version }) };
    await ask(service, "POST", listingPath(id, "review"), { json: body });
    const recall = await reached(service, terminal, id);
    terminal.stdout.write(json ? `${JSON.stringify(recall, null, 2)}\n` : `${linesOf(recall, terminal).join("\n")}\n`);
    return recall.done ? exits.done : exits.failed;
  });

/** How long a recall may take to reach every install (milliseconds). */
const patience = 60_000;

/** Waits until the listing's newest recall has reached every install. */
async function reached(service: Service, terminal: Terminal, listing: string): Promise<Recall> {
  const progress = progressOn(terminal);
  try {
    for (const began = now(); ; await after(500)) {
      const { data } = await ask<{ data: Recall[] }>(service, "GET", "/v1/marketplace/recalls?limit=100");
      const recall = data.find((one) => one.listing_id === listing);
      if (recall !== undefined && (recall.done || now() - began > patience)) return recall;
      if (recall === undefined && now() - began > patience) throw new CommandError("The recall is not listed yet.");
      progress.say(`stopping … ${Math.round((now() - began) / 1000)} s`);
    }
  } finally {
    progress.done();
  }
}

function linesOf(recall: Recall, terminal: Terminal): readonly string[] {
  const { kind, title, recall_id, installs, stopped, done } = recall;
  const state = done ? `reached ${counted(installs, "install")}` : "has not reached every install yet; it goes on";
  return [
    printable(`${title}: ${kind} ${recall_id} ${state}`),
    ...(stopped.length === 0
      ? []
      : tableLines(
          stopped,
          columns(
            "ENVIRONMENT=environment KIND=kind NAME=target KILL_SWITCH=kill_switch_id TASKS_ENDED=tasks_ended SECONDS=seconds",
          ),
          terminal,
        )),
  ];
}
