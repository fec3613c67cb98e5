/** All texts that the service itself says to end users. */
export {
  filled,
  type InEvery,
  languageFor,
  languageOfTag,
  languageOfText,
  type UserLanguage,
  userLanguages,
} from "./languages.ts";
export { type NoticeTexts, noticeTexts } from "./notices.ts";
export { asksForPerson } from "./person.ts";
export { type ReplyTexts, replyTexts } from "./replies.ts";
export { type SmallTalk, smallTalkIn } from "./small-talk.ts";
