import type { KeySource } from "../access.ts";
import type { AosCommand, Given } from "../command.ts";
import { serviceFor } from "../http.ts";
import { detailLines } from "../output/detail.ts";
import { refused } from "../problems.ts";

/** What the service says of a key (`admin.whoami`). */
export interface Whoami {
  readonly principal: { readonly id: string; readonly kind: string; readonly role: string };
  readonly organization: string;
  readonly environment: string;
  readonly key: {
    readonly key_id: string;
    readonly name: string;
    readonly start: string;
    readonly last_four: string;
    readonly expires_at: string | null;
  } | null;
  readonly permissions: readonly string[];
  readonly scopes: readonly string[] | null;
  readonly agents: readonly string[] | null;
}

export default (command: AosCommand): AosCommand =>
  command
    .description("Shows the key in use: its owner, source, environment and permissions.")
    .serviceOptions()
    .run(run);
/** Who acts, in a few words. */
export const whoLine = ({ principal, environment }: Whoami): string =>
  `${principal.id}, ${principal.role} of ${environment}`;

const sources: Readonly<Record<KeySource, string>> = {
  AOS_KEY: "AOS_KEY",
  "key file": "the file",
  profile: "signed in with aos login",
  host: "the admin key of this host",
};

async function run(given: Given): Promise<number> {
  const { terminal } = given;
  const { access, call } = await serviceFor(given);
  const reply = await call("GET", "/v1/admin/whoami");
  const fault = refused(reply, given, access.profile);
  if (fault !== null) return fault;
  const who = reply.body as Whoami;
  if (given.json) {
    terminal.stdout.write(`${JSON.stringify(who, null, 2)}\n`);
    return 0;
  }
  const { principal, key, permissions, agents, scopes } = who;
  const lines = detailLines(
    {
      service: access.url,
      profile: access.profile,
      environment: who.environment,
      acts_as: `${principal.id} (${principal.kind})`,
      role: principal.role,
      key: key === null ? null : `${key.name}, ${key.start}…${key.last_four} (${key.key_id})`,
      from: `${sources[access.source ?? "host"]}${access.file === null ? "" : ` ${access.file}`}`,
      expires: key?.expires_at ?? "never",
      ...(scopes === null ? {} : { narrowed_to: scopes }),
      ...(agents === null ? {} : { agents }),
      may: permissions.join(" "),
    },
    terminal,
  );
  terminal.stdout.write(`${lines.join("\n")}\n`);
  return 0;
}
