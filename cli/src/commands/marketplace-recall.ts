import { setTimeout as after } from "node:timers/promises";
import type { Output } from "@aos/sdk";
import type { AosCommand, Given } from "../command.ts";
import type { Service } from "../http.ts";
import { ask, inMarketplace, type ListingShown, listingId, listingPath } from "../marketplace/calls.ts";
import { progressOn } from "../output/progress.ts";
import { columns, tableLines } from "../output/table.ts";
import { counted } from "../output/text.ts";
import { confirmed } from "../prompt.ts";
import { Cancelled, CommandError, exits, now, printable, type Terminal } from "../terminal.ts";

type Recall = Output<"marketplace.listRecalls">["data"][number];

export default (command: AosCommand): AosCommand =>
  command
    .description(
      `Recalls a listing, named by its name or id (lst_…): within a minute, kill switches stop its installs in every
environment, for good, or with --quarantine until it is approved again. Waits until every install is stopped,
and shows what was stopped.`,
    )
    .option("--reason <text>", "why; people whose work is stopped read it")
    .option("--quarantine", "until it is approved again")
    .option("--version <version>", "one version; default: all")
    .option("-y, --yes", "recalls without confirmation")
    .serviceOptions()
    .examples('aos marketplace recall support-routing --quarantine --reason "It sends messages to the wrong team."')
    .run((given) => inMarketplace(given, run));

async function run({ options, argument, json, terminal }: Given, service: Service): Promise<number> {
  const reason = options.reason;
  if (reason === undefined) throw new CommandError("Say why: people whose work is stopped read --reason.");
  const decision = options.quarantine ? "quarantine" : "recall";
  const id = await listingId(service, argument(0));
  const { title, installs } = await ask<ListingShown>(service, "GET", listingPath(id));
  const version = options.version;
  const question = `Stop ${title}${version === undefined ? "" : ` ${version}`} (${counted(installs, "install")}) in every environment?`;
  if (!options.yes && !(await confirmed(question, terminal))) throw new Cancelled("Nothing was stopped.");
  const body = { decision, reason, ...(version === undefined ? {} : { version }) };
  await ask(service, "POST", listingPath(id, "review"), { json: body });
  const recall = await reached(service, terminal, id);
  terminal.stdout.write(json ? `${JSON.stringify(recall, null, 2)}\n` : `${linesOf(recall, terminal).join("\n")}\n`);
  return recall.done ? exits.done : exits.failed;
}

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
