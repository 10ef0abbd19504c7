import type { SharedAccount } from "#domain/api/course/playback";
import { unusualSigns } from "#domain/playback/sharing";
import type { CountedAccount } from "./queries.ts";

/** Returns a student of the view of sharing, with the counts that are unusual. */
export function sharedAccountView({ unusual: _unusual, ...counted }: CountedAccount): SharedAccount {
  return { ...counted, signs: unusualSigns(counted) };
}
