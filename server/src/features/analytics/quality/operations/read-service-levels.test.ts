import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();

const handOver = async (user: string, team: string | null): Promise<string> => {
  const { body } = await app.call("POST", "/v1/chat/conversations", { body: { agent: "sales", user } });
  const id = body.conversation_id as string;
  const to = { to: "person", reason: "Asked.", ...(team === null ? {} : { team }) };
  await app.call("POST", `/v1/chat/conversations/${id}/handoff`, { body: to });
  return id;
};
const listed = async (link: string): Promise<string[]> =>
  (await app.call("GET", link)).body.data.map((one: { conversation_id: string }) => one.conversation_id).sort();

it("measures service levels over time and leads from each figure to the conversations behind it", async () => {
  const title = { title: "Levels", targets: { waiting_seconds: 60 } };
  await app.call("PUT", "/v1/admin/teams/levels", { body: title });
  const [late, soon, teamless] = [
    await handOver("late", "levels"),
    await handOver("soon", "levels"),
    await handOver("teamless", null),
  ];
  await app.pool.query(
    `update chat_handovers set requested_at = requested_at - interval '2 days', taken_at = requested_at - interval '2 days' + interval '10 minutes',
       waiting_breached_at = requested_at - interval '2 days' + interval '1 minute', ended_at = requested_at where conversation = $1`,
    [late],
  );
  const { status, body } = await app.call("GET", "/v1/analytics/service-levels?grain=day&agent=sales");
  expect(status).toBe(200);
  const team = body.teams.find((one: { team: string | null }) => one.team === "levels");
  expect(team).toMatchObject({ handovers: 2, taken: 1, waiting: 1, answered: 0, breached: 1, waiting_p50: 600 });
  const [none, all] = [body.teams.find((one: { team: string | null }) => one.team === null), body.all];
  const links = [team.links.handovers, team.links.taken, team.links.waiting, team.links.breached, team.links.answered];
  expect(await Promise.all(links.map(listed))).toEqual([[late, soon].sort(), [late], [soon], [late], []]);
  expect(await listed(none.links.handovers)).toContain(teamless);
  expect(await listed(all.links.handovers)).toEqual(expect.arrayContaining([late, soon, teamless]));
  const values = body.series.map((point: { values: Record<string, number | null> }) => point.values);
  const [first] = values.filter((one: { breached_rate: number | null }) => one.breached_rate === 1);
  expect(first).toMatchObject({ handovers: 1, waiting_p50: 600, first_answer_p50: null });
  expect(values.reduce((sum: number, one: { handovers: number }) => sum + one.handovers, 0)).toBe(all.handovers);
});
