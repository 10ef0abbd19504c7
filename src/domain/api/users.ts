import { oc } from "@orpc/contract";
import * as z from "zod/mini";
import { subscriptionStatuses } from "../packages.ts";
import { id, pageOf, pageQuery, plainText, timestamp } from "./fields.ts";

/** A student in the admin's list (ADMIN-2). */
export const ListedUser = z.object({
  id,
  email: z.string(),
  user_metadata: z.object({ full_name: z.string() }),
  subscription_status: z.enum(subscriptionStatuses),
  email_verified: z.boolean(),
  second_factor: z.boolean(),
  created_at: timestamp,
  last_sign_in_at: z.nullable(timestamp),
});
export type ListedUser = z.infer<typeof ListedUser>;

/** The orders of the admin's list (LIST-4). */
export const userSorts = ["newest", "oldest", "last-sign-in"] as const;
export type UserSort = (typeof userSorts)[number];

const path = "/functions/v1/admin-users";

export const users = {
  list: oc
    .route({ method: "GET", path, summary: "Students, newest first" })
    .input(z.object({ ...pageQuery, search: z.optional(plainText(200)) }))
    .output(z.object({ users: z.array(ListedUser), next_cursor: z.nullable(z.string()) })),
  search: oc
    .route({ method: "GET", path: "/api/users", summary: "Students by search, tier and order" })
    .input(
      z.object({
        ...pageQuery,
        search: z.optional(plainText(200)),
        tier: z.optional(z.enum(subscriptionStatuses)),
        sort: z.optional(z.enum(userSorts)),
      }),
    )
    .output(pageOf(ListedUser)),
  setTier: oc
    .route({ method: "PUT", path, summary: "Change a student's tier" })
    .input(
      z.object({
        userId: id,
        newRole: z.enum(subscriptionStatuses),
        /** The tier that the change was decided on; refused with `tier_changed` when it is another by now. */
        expected: z.optional(z.enum(subscriptionStatuses)),
      }),
    )
    .output(z.object({ user: ListedUser })),
  remove: oc
    .route({ method: "DELETE", path, summary: "Delete a student", inputStructure: "detailed" })
    .input(z.object({ query: z.object({ userId: id }) }))
    .output(z.object({ deleted: z.literal(true) })),
  removeSecondFactor: oc
    .route({
      method: "DELETE",
      path: `${path}/second-factor`,
      summary: "Turn a student's second factor off",
      inputStructure: "detailed",
    })
    .input(z.object({ query: z.object({ userId: id }) }))
    .output(z.object({ removed: z.literal(true) })),
};
