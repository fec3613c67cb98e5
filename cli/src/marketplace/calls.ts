import type { Output } from "@aos/sdk";
import type { Given } from "../command.ts";
import { type Reply, type Sending, type Service, serviceFor } from "../http.ts";
import { problemOf, refused } from "../problems.ts";
import { CommandError } from "../terminal.ts";

// What the commands of the marketplace share: calls that throw what is refused, and listings and installs by name.

export type ListingShown = Output<"marketplace.listListings">["data"][number];
export type InstallShown = Output<"marketplace.readInstall">;
export type PreviewShown = Output<"marketplace.previewInstall">;
export type InstallOutcome = Output<"marketplace.installListing">;

class RefusedReply extends Error {
  readonly reply: Reply;
  constructor(reply: Reply) {
    super(`refused with status ${reply.status}`);
    this.reply = reply;
  }
}

/** Runs a command of the marketplace. What the service refuses is shown as by other commands. */
export async function inMarketplace(
  given: Given,
  work: (given: Given, service: Service) => Promise<number>,
): Promise<number> {
  const service = await serviceFor(given);
  try {
    return await work(given, service);
  } catch (error) {
    if (!(error instanceof RefusedReply)) throw error;
    return refused(error.reply, given, service.access.profile) as number;
  }
}

export async function ask<T>(service: Service, method: string, path: string, sending: Sending = {}): Promise<T> {
  const reply = await service.call(method, path, sending);
  mustBeFine(reply);
  return reply.body as T;
}

export function mustBeFine(reply: Reply | null): void {
  if (reply !== null && problemOf(reply) !== null) throw new RefusedReply(reply);
}

export const listingPath = (id: string, ...rest: readonly string[]): string =>
  ["/v1/marketplace/listings", id, ...rest].map((part, at) => (at === 0 ? part : encodeURIComponent(part))).join("/");
export const installPath = (id: string, ...rest: readonly string[]): string =>
  ["/v1/marketplace/installs", id, ...rest].map((part, at) => (at === 0 ? part : encodeURIComponent(part))).join("/");

const allStates = "submitted,approved,rejected,quarantined,recalled,withdrawn";

/** The id of a listing that is named by its name or id. Throws a CommandError where no listing, or more than one, has the name. */
export async function listingId(service: Service, reference: string, states = allStates): Promise<string> {
  if (reference.startsWith("lst_")) return reference;
  const query = new URLSearchParams({ q: reference, state: states, limit: "100" });
  const { data } = await ask<{ data: ListingShown[] }>(service, "GET", `/v1/marketplace/listings?${query}`);
  const named = data.filter(({ name }) => name === reference);
  const [only, ...others] = named;
  if (only === undefined)
    throw new CommandError(
      `No listing has the name ${JSON.stringify(reference)}. aos marketplace listings list shows the catalogue.`,
    );
  if (others.length > 0)
    throw new CommandError(
      `${named.length} listings have the name ${JSON.stringify(reference)}. Use the id of one:\n${named.map(({ listing_id, publisher }) => `  ${listing_id} by ${publisher.name}`).join("\n")}`,
    );
  return only.listing_id;
}

/** The id of an install that is named by its id or its listing's name. Throws a CommandError where none, or more than one, fits. */
export async function installId(service: Service, reference: string): Promise<string> {
  if (reference.startsWith("ins_")) return reference;
  const { data } = await ask<{ data: InstallShown[] }>(service, "GET", "/v1/marketplace/installs?limit=100");
  const named = data.filter(({ name, state }) => name === reference && state !== "removed");
  const [only, ...others] = named;
  if (only === undefined)
    throw new CommandError(
      `Nothing with the name ${JSON.stringify(reference)} is installed here. aos marketplace installs list shows what is.`,
    );
  if (others.length > 0)
    throw new CommandError(
      `${JSON.stringify(reference)} is installed ${named.length} times. Use the id of one:\n${named.map(({ install_id, suffix }) => `  ${install_id} (suffix ${suffix || "none"})`).join("\n")}`,
    );
  return only.install_id;
}
