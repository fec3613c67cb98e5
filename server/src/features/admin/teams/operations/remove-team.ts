import { refuse } from "../../../../kernel/errors.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { keyFacts } from "../../keys/facts.ts";
import { teamUses } from "../../ports.ts";
import { teams } from "../resource.ts";
import { RemovedTeam } from "../schemas.ts";

export const removeTeam = teams.removeOperation({
  id: "admin.removeTeam",
  summary: "Remove a team",
  description:
    "Refused while conversations wait for it or a deployed agent hands conversations to it. Documents that name it as a reader are hidden from its former members at once.",
  output: RemovedTeam,
  errors: [conflict],
  remove: async (ctx, { name }) => {
    const [used] = await ctx.port(teamUses)(ctx, name);
    if (used !== undefined) throw refuse(conflict, `The team ${name} is in use: ${used}.`);
    await teams.rows.remove(ctx, name);
    ctx.touch(keyFacts);
  },
});
