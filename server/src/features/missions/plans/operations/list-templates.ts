import { defineList } from "../../../../kernel/listing.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { MissionTemplate } from "../../schemas.ts";
import { agentsOfTemplate, builtInTemplates, listSaved } from "../templates.ts";

export const listTemplates = defineList({
  id: "missions.listTemplates",
  path: "/v1/missions/templates",
  summary: "List mission templates",
  description:
    "Those that come with the service, then those that were saved, by name. They belong to the organization. A key that is narrowed to agents sees templates of these alone.",
  item: MissionTemplate,
  example: { item: builtInTemplates[0] as MissionTemplate },
  permission: "missions:read",
  narrowing: limitedTo("lists templates of the key's agents"),
  compliance: governs("mission.read"),
  audit: "missions",
  sort: "name",
  async read(ctx, _filter, { after, take }) {
    const behind = after?.id.startsWith("saved ") ? after.id.slice("saved ".length) : undefined;
    const place = builtInTemplates.findIndex(({ name }) => name === after?.id);
    const builtIn = behind === undefined ? builtInTemplates.slice(place + 1) : [];
    const { agents } = ctx.principal;
    const seen = (one: MissionTemplate) =>
      agents === null || agentsOfTemplate(one).every((agent) => agents.includes(agent));
    return [...builtIn, ...(await listSaved(ctx, behind, take))].filter(seen).slice(0, take);
  },
  position: ({ name, origin }) => (origin === "saved" ? `saved ${name}` : name),
  view: (template) => template,
});
