import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict, notFound } from "../../../../kernel/problems.ts";
import { agentSeen } from "../../../tasks/public.ts";
import { aboutConversation, ConversationParams } from "../../conversations/operation-parts.ts";
import { type ConversationRow, findConversation, lockConversation } from "../../conversations/store.ts";
import { addWriters, writersOf } from "../../conversations/writers.ts";
import { exampleConversation, exampleFile } from "../../example.ts";
import { AddFileBody, AddFileForm, ChatFile } from "../../schemas.ts";
import { fileFaults, fileOf, largestFile } from "../rules.ts";
import { countFiles, fileView, addFile as store } from "../store.ts";

const mostFiles = 100;

export const addFile = defineOperation({
  id: "chat.addFile",
  method: "POST",
  path: "/v1/chat/conversations/{conversation}/files",
  status: 201,
  summary: "Attach a file to a conversation",
  description:
    "As `multipart/form-data` with the part `file`, or a text as JSON. Name it in `files` of the message that brings it to the agent, which reads the text of it: of plain text, " +
    "Markdown, HTML, PDF, DOCX, XLSX, PPTX, EPUB, CSV and JSONL. Other files are kept and handed out, and the agent knows their names alone. An image can also come in base64; " +
    "the model sees it where the message says `options.images`.",
  params: ConversationParams,
  body: AddFileBody,
  largestBody: 8 * 1024 * 1024,
  receives: { form: AddFileForm, file: "file", limit: largestFile },
  output: ChatFile,
  location: ({ conversation_id, file_id }) => `/v1/chat/conversations/${conversation_id}/files/${file_id}`,
  example: {
    params: { conversation: exampleConversation.conversation_id },
    body: { name: exampleFile.name, text: "Order 4711: two looms." },
    output: exampleFile,
  },
  permission: "chat:write",
  load: (ctx, { conversation }) => findConversation(ctx, conversation),
  validate: (ctx, { body }) => fileFaults(body, ctx.signal),
  gate: exempt("stores a file; nothing acts"),
  decides: "documents",
  compliance: governs(
    "chat.message",
    (ctx, { loaded, body }: { loaded: ConversationRow; body: AddFileBody }) => {
      const { name, media_type, text } = fileOf(body);
      return { agent: agentSeen(ctx, loaded.agent), input: { file: name, media_type, message: text ?? "" } };
    },
    { keepsInput: () => false },
  ),
  audit: aboutConversation,
  errors: [conflict],
  async handle(ctx, { loaded, body }) {
    const row = await lockConversation(ctx, loaded.id);
    if (!row) throw refuse(notFound, "The conversation was just erased.");
    if (row.state === "closed") throw refuse(conflict, "The conversation is closed; files belong to open ones.");
    if ((await countFiles(ctx, row.id)) >= mostFiles)
      throw refuse(conflict, `The conversation has ${mostFiles} files, which is the most. Start or fork another one.`);
    await addWriters(ctx, row.id, writersOf(ctx, row.id));
    return fileView(await store(ctx, row.id, fileOf(body)));
  },
});
