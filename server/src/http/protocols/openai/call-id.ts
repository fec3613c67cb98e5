import { isId } from "../../../kernel/ids.ts";

// The id of a call for the caller says which turn of which conversation it belongs to, so that its result finds the way back without anything being kept for it.

const pattern = /^call_([0-9a-z]{26})([0-9a-z]{26})([1-9][0-9]{0,4})$/;

/** `call`: the call's id in its reply, such as `call_3`. */
export const callIdOf = (conversation: string, turn: string, call: string): string =>
  `call_${conversation.slice("cnv_".length)}${turn.slice("tur_".length)}${call.slice("call_".length)}`;

export interface CallPlace {
  readonly conversation: string;
  readonly turn: string;
  readonly call: string;
}

/** Null: it is no id of a call that was handed out here. */
export function placeOfCall(id: string): CallPlace | null {
  const match = pattern.exec(id);
  if (!match) return null;
  const place = { conversation: `cnv_${match[1]}`, turn: `tur_${match[2]}`, call: `call_${match[3]}` };
  return isId(place.conversation, "cnv") && isId(place.turn, "tur") ? place : null;
}
