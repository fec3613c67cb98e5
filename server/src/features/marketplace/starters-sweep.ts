import type { FactsReader } from "../../kernel/facts.ts";
import type { Statements, Sweep } from "../../kernel/machines.ts";
import { addStarter } from "./operations/add-starter.ts";
import { listStarters, startersFolder } from "./starters.ts";

type Waiting = Map<string, string[]>;

/**
 * Puts the starters of a folder into the catalogue of every organization: once in the life of a process it looks which are missing, then adds one a look, so that
 * neither a start nor other sweeps wait for them. One that could not be added is tried again at the next start.
 */
export function createStartersSweep(folder: string): Sweep {
  const waiting = new WeakMap<FactsReader, Waiting>();
  return {
    name: "marketplace.starters",
    async run({ db, inside, facts }) {
      const organizations = waiting.get(facts) ?? new Map<string, string[]>();
      waiting.set(facts, organizations);
      for (const organization of await listOrganizations(db)) {
        const names = organizations.get(organization) ?? (await missingIn(db, organization, folder));
        organizations.set(organization, names);
        const name = names.shift();
        if (name === undefined) continue;
        await inside(addStarter, { organization, environment: "development" }, { folder, name });
        return;
      }
    },
  };
}

export const startersSweep = createStartersSweep(startersFolder);

async function listOrganizations(db: Statements): Promise<string[]> {
  const rows = await db.query<{ organization: string }>("select organization from organizations order by organization");
  return rows.map(({ organization }) => organization);
}

/** The starters whose version in the folder the catalogue does not have. */
async function missingIn(db: Statements, organization: string, folder: string): Promise<string[]> {
  const present = await db.query<{ name: string; version: string }>(
    `select l.name, v.version from marketplace_listings l
     join marketplace_versions v on v.organization = l.organization and v.listing_id = l.id
     where l.organization = $1 and l.origin = 'starter'`,
    [organization],
  );
  const known = new Set(present.map(({ name, version }) => `${name}@${version}`));
  return (await listStarters(folder))
    .filter(({ name, version }) => !known.has(`${name}@${version}`))
    .map(({ name }) => name);
}
