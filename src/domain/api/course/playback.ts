import { oc } from "@orpc/contract";
import * as z from "zod/mini";
import { sharingSigns } from "../../playback/sharing.ts";
import { id, pageOf, pageQuery } from "../fields.ts";

/** A student whose playing in the last 30 days looks shared (DEVICE-5). */
export const SharedAccount = z.object({
  user_id: id,
  email: z.string(),
  full_name: z.string(),
  /** Different networks, as ACCOUNT-7 counts them. */
  networks: z.int(),
  devices: z.int(),
  /** How often one device of the student took the place of another. */
  displaced: z.int(),
  /** The counts that are unusual. */
  signs: z.array(z.enum(sharingSigns)),
  /** The last day on which a film was played, in UTC. */
  last_played_on: z.iso.date(),
});
export type SharedAccount = z.infer<typeof SharedAccount>;

export const playback = {
  sharing: oc
    .route({ method: "GET", path: "/api/sharing", summary: "Students whose playing looks shared, the most unusual first" })
    .input(z.object(pageQuery))
    .output(pageOf(SharedAccount)),
};
