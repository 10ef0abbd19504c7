import { oc } from "@orpc/contract";
import * as z from "zod/mini";
import { subscriptionStatuses } from "../packages.ts";
import { AuditFilter } from "./audit.ts";
import { listSorts, plainText, signedLink } from "./fields.ts";
import { paymentRequestFilter } from "./payments/payment-requests.ts";
import { userSorts } from "./users.ts";

const search = z.optional(plainText(200));

/** The tables that the admin takes out as CSV, each with the filters of its list (EXPORT-1). */
export const exportFilters = {
  payments: z.object({ ...paymentRequestFilter, sort: z.optional(z.enum(listSorts)) }),
  users: z.object({ search, tier: z.optional(z.enum(subscriptionStatuses)), sort: z.optional(z.enum(userSorts)) }),
  audit: AuditFilter,
  months: z.object({}),
};
export type ExportName = keyof typeof exportFilters;
export const exportNames = Object.keys(exportFilters) as ExportName[];

export const exports = {
  link: oc
    .route({
      method: "POST",
      path: "/api/export/{name}/link",
      inputStructure: "detailed",
      summary: "A link by which the browser saves a table as CSV",
    })
    .input(
      z.object({
        params: z.object({ name: z.enum(exportNames) }),
        /** Filters as text, as they stand in an address. */
        body: z.object({ filters: z.record(plainText(50), plainText(320)) }),
      }),
    )
    .output(signedLink),
};
