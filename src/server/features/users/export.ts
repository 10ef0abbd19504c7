import type { UserSort } from "#domain/api/users";
import type { SubscriptionStatus } from "#domain/packages";
import { inBatches, type CsvTable } from "../../platform/csv.ts";
import type { Connection } from "../../platform/db/database.ts";
import { findAllStudents, type ListedUserRow } from "./list-queries.ts";

interface Filter {
  search?: string | undefined;
  tier?: SubscriptionStatus | undefined;
  sort?: UserSort | undefined;
}

/** Returns the students as a table, by their sign-up (EXPORT-1): by last sign-in, one who signs in meanwhile would be missed. */
export function exportUsers(connection: Connection, { search, tier, sort: asked }: Filter): CsvTable {
  const sort = asked === "oldest" ? asked : "newest";
  const filter = { search: search?.trim() || undefined, tier };
  return {
    columns: ["id", "email", "full_name", "package", "email_verified", "second_factor", "signed_up_at", "last_sign_in_at"],
    batches: inBatches<ListedUserRow>(
      (last, limit) => {
        const after = last && { time: last.sort_time, id: last.id };
        return findAllStudents(connection, filter, { sort, after, limit });
      },
      (row) => [
        row.id,
        row.email,
        row.full_name,
        row.subscription_status,
        row.email_verified ? "yes" : "no",
        row.second_factor ? "yes" : "no",
        row.created_at,
        row.last_sign_in_at,
      ],
    ),
  };
}
