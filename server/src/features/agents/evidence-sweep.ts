import { touchFacts } from "../../db/facts.ts";
import type { Statements, Sweep } from "../../kernel/machines.ts";
import type { Environment } from "../../kernel/principal.ts";
import { evidenceFacts } from "./evidence-facts.ts";
import { fitSkill } from "./operations/fit-skill.ts";
import { printForgotten } from "./prints.ts";

/** Skills that one look fits anew, and versions whose prints it takes, at most. */
const most = { skills: 20, versions: 20 };

interface Due {
  readonly organization: string;
  readonly environment: Environment;
  readonly agent: string;
  readonly skill: string;
}

/** Skills with judgements that are a second old at least, the longest waiting first: many that come together make one refit. */
async function listDue(db: Statements): Promise<Due[]> {
  return db.query<Due>(
    `select organization, environment, agent, skill from trust_refits group by 1, 2, 3, 4
     having min(created_at) <= now() - interval '1 second' order by min(created_at) limit $1`,
    [most.skills],
  );
}

/** Takes the prints of versions that have none; processes learn of them with the transaction. */
async function takePrints(db: Statements): Promise<void> {
  await db.query("begin");
  try {
    if ((await printForgotten(db, most.versions)) > 0) await db.query(touchFacts, [[evidenceFacts.topic]]);
    await db.query("commit");
  } catch (error) {
    await db.query("rollback");
    throw error;
  }
}

/** Keeps the maps that scores are computed from: fits skills anew that were judged. Where a refit is lost, what asked for it still stands. */
export const evidenceSweep: Sweep = {
  name: "agents.evidence",
  async run({ db, inside }) {
    await takePrints(db);
    const failures: unknown[] = [];
    for (const { agent, skill, ...scope } of await listDue(db)) {
      // One skill that cannot be fitted keeps no other waiting.
      await inside(fitSkill, scope, { agent, skill }).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  },
};
