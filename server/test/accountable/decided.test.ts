import { beforeAll, describe, expect, it } from "vitest";
import { publishedOperations } from "../../../scripts/checks/registry.ts";
import { contents } from "../../src/kernel/decides.ts";
import { describe as describeOperation, type OperationDescription } from "../../src/kernel/operation-seal.ts";
import { useApp } from "../../src/testing/app.ts";
import { withMail } from "../arrangements.ts";
import { walk } from "../walk.ts";

// Whoever calls an operation that decides content is stored with it: `decides` is no label.

const app = useApp(withMail);

/** Operations whose caller is found otherwise. May only shrink. */
const foundOtherwise: Readonly<Record<string, string>> = {
  "agents.freezeVersion": "gives no content: a version has the deciders of its draft",
  "chat.createMemory": "a memory names the record of the call that wrote it",
  "chat.handoffConversation": "hands over to a person without a word to the agent",
  "knowledge.changeBase": "changes how documents are cut, not what they say",
  "marketplace.createListing": "what is packed has its own deciders, and a listing its submitter",
  "marketplace.createVersion": "what is packed has its own deciders, and a listing its submitter",
  "approvals.requestChanges":
    "the note of a whole task is for whoever changes its input; those of calls are in tasks.test.ts",
  "marketplace.installListing": "each part is a call of its own",
  "marketplace.removeInstall": "only removes",
  "marketplace.resetInstall": "each part is a call of its own",
  "marketplace.updateInstall": "each part is a call of its own",
  "workflows.controlRun": "pauses, as arranged; what gives content is in runs.test.ts",
  "workflows.controlRuns": "cancels, as arranged; what gives content is in runs.test.ts",
};

/** What gives content, where the call that is arranged does not. */
const giving: Readonly<Record<string, object>> = {
  "agents.changeSchedule": { input: { lead_id: "ld_1002" } },
  "approvals.approve": { edits: { lead_id: "ld_1002" } },
  "chat.changeConversation": { context: { order: "A-1" } },
  "chat.startConversation": { context: { order: "A-1" } },
  "tasks.changeTask": { input: { lead_id: "ld_1002" } },
};

const decidesContent = ({ decides }: OperationDescription): boolean =>
  decides?.some((name) => contents[name].rule !== "D") === true;
const operations = publishedOperations().map(describeOperation).filter(decidesContent);

type Caller = Awaited<ReturnType<typeof app.member>>;

/** What has to happen first, so that a call may give content. */
const before: Readonly<Record<string, (params: Readonly<Record<string, string>>, by: Caller) => Promise<unknown>>> = {
  "chat.submitResults": ({ conversation }, { memberId, keyId }) =>
    app.pool.query("update chat_turns set principal = $2, key_id = $3 where conversation = $1", [
      conversation,
      memberId,
      keyId,
    ]),
  async "tasks.changeTask"({ task }) {
    const { body } = await app.call("GET", `/v1/approvals/${task}`);
    const sentBack = { digest: body.digest, note: "Another lead." };
    const answered = await app.call("POST", `/v1/approvals/${task}/request-changes`, { body: sentBack });
    expect(answered.status, answered.text).toBe(200);
  },
};

/** A query for the places in which those accountable for something are stored, `$1` being the id of one. */
let places: string;
beforeAll(async () => {
  const { rows } = await app.pool.query<{ table: string; column: string }>(
    `select c.table_name as table, c.column_name as column from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
       and (c.column_name = 'actor' or c.column_name like '%deciders' or (c.table_name, c.column_name) = ('tasks', 'principal')
         or (c.table_name = 'approvals' and c.column_name like '%accountable'))
       and c.table_name <> 'events'`,
  );
  places = rows
    .map(
      ({ table, column }) =>
        `select '${table}.${column}' as place from "${table}" where "${column}"::text like '%' || $1 || '%'`,
    )
    .join(" union ");
});

describe("whoever calls", () => {
  it.each(operations.map((one): [string, OperationDescription] => [one.id, one]))(
    "%s is stored with what they decide",
    async (id, operation) => {
      const walker = walk(app, operation);
      const given = await walker.arranged();
      const caller = await app.member("admin"); // whose deployments and releases are no second person's look
      const { secret, memberId } = caller;
      await before[id]?.(given.params, caller);
      const body = id in giving ? { ...(given.body as object), ...giving[id] } : given.body;
      const answered = await walker.call({ ...given, body }, { key: secret });
      expect(answered.status, answered.text).toBe(operation.status);
      const { rows } = await app.pool.query(places, [memberId]);
      expect(rows.length > 0, `${id} stores its caller nowhere`).toBe(!(id in foundOtherwise));
    },
  );
});
