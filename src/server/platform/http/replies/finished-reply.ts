import { isDeepStrictEqual } from "node:util";
import type { AnyProcedure, Schema } from "@orpc/server";

/** A reply whose JSON is written already. */
export class FinishedReply {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/**
 * Returns a reply of fields whose JSON is written already, for a call that is built by `forVerifiedTrusted` or `forAdminTrusted`. It is sent as
 * it is, where a long list would be walked through and written once more. `CHECK_REPLIES` compares it with the contract.
 */
export function finishedReply<Reply extends object>(fields: Record<keyof Reply, string>): Reply {
  const texts = Object.entries<string>(fields).map(([name, json]) => `${JSON.stringify(name)}:${json}`);
  // `join` would copy a long list once more.
  const json = texts.reduce((before, text) => `${before},${text}`);
  return new FinishedReply(`{${json}}`) as unknown as Reply;
}

/** Throws unless a reply is exactly what its contract promises: no field too few, and none too many. */
export async function requireReplyOfContract(procedure: AnyProcedure, output: unknown): Promise<void> {
  const reply: unknown = output instanceof FinishedReply ? JSON.parse(output.json) : output;
  const schema = procedure["~orpc"].outputSchema as Schema<unknown, unknown> | undefined;
  const checked = await schema?.["~standard"].validate(reply);
  if (checked === undefined) return;
  if (checked.issues) throw new Error(`The reply breaks its contract: ${JSON.stringify(checked.issues)}`);
  if (!isDeepStrictEqual(checked.value, reply)) throw new Error("The reply has fields that its contract does not have.");
}
