/** What the rest of the server may call. */
export { totalsJob } from "./job.ts";
export {
  couponTotalParts,
  findAllPaymentTotals,
  findAllRevenueDays,
  findAllStudentTotals,
  findAllTierTotals,
  type RevenueOfDay,
} from "./queries.ts";
