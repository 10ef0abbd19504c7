import { forAdmin } from "../../platform/http/router.ts";
import { createCoupon, deleteCoupon, listCoupons, updateCoupon } from "./manage.ts";

export const couponRoutes = {
  list: forAdmin.coupons.list.handler(({ context, input }) => listCoupons(context.deps, input)),
  create: forAdmin.coupons.create.handler(({ context, input }) =>
    createCoupon(context.deps, context.principal, context.actor, input),
  ),
  update: forAdmin.coupons.update.handler(({ context, input }) =>
    updateCoupon(context.deps, context.principal, context.actor, input.params.code, input.body),
  ),
  remove: forAdmin.coupons.remove.handler(async ({ context, input }) => {
    await deleteCoupon(context.deps, context.actor, input.params.code);
    return { deleted: true } as const;
  }),
};
