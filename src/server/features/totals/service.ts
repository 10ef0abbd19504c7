/** What the rest of the server may call. */
export { totalsJob } from "./job.ts";
export {
  couponTotalParts,
  findPaymentTotals,
  findRevenue,
  findStudentTotals,
  findTierTotals,
  type RevenueOfDay,
} from "./queries.ts";
