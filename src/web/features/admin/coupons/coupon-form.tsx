import type { ReactNode } from "react";
import * as z from "zod/mini";
import type { Coupon } from "#domain/api/coupons";
import { code } from "#domain/api/fields";
import { isDiscountPercent, normaliseCouponInput } from "#domain/payments/coupon";
import { api } from "../../../platform/api.ts";
import { useForm } from "../../../platform/form.ts";
import { queryClient } from "../../../platform/query/query-client.ts";
import { Banner } from "../../../ui/banner.tsx";
import { Button } from "../../../ui/button.tsx";
import { Checkbox, TextField } from "../../../ui/field.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { couponsOptions } from "./queries.ts";

/** The contract's rules, with texts short enough for two columns. */
const percent = z.string().check(
  z.trim(),
  z.refine((text) => isDiscountPercent(text), code("percent_out_of_range")),
);
const CouponFields = z.object({
  code: z.string().check(z.minLength(1, code("coupon_empty"))),
  discount_starter: percent,
  discount_advanced: percent,
  active: z.boolean(),
});

const newCoupon: Coupon = { code: "", discount_starter: "", discount_advanced: "", active: true };

interface CouponFormProps {
  /** Undefined adds a new one. */
  coupon: Coupon | undefined;
  onClose: () => void;
}

export function CouponForm({ coupon, onClose }: CouponFormProps): ReactNode {
  const form = useForm({
    initial: coupon ?? newCoupon,
    schema: CouponFields,
    mutationFn: ({ code: newCode, ...body }) =>
      coupon ? api.coupons.update({ params: { code: coupon.code }, body }) : api.coupons.create({ code: newCode, ...body }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: couponsOptions.queryKey });
      onClose();
    },
  });
  return (
    <form className="mb-5 grid gap-4 border-b border-line pb-5" onSubmit={form.onSubmit} noValidate>
      <TextField
        label="Code"
        className="font-figures uppercase"
        autoComplete="off"
        maxLength={40}
        readOnly={coupon !== undefined}
        {...form.field("code")}
        onChange={(event) => form.set({ code: normaliseCouponInput(event.target.value) })}
      />
      <div className="grid grid-cols-2 gap-4">
        <TextField label="Starter %" inputMode="decimal" className="figures" {...form.field("discount_starter")} />
        <TextField label="Advanced %" inputMode="decimal" className="figures" {...form.field("discount_advanced")} />
      </div>
      <Checkbox label="Active" checked={form.values.active} onChange={(event) => form.set({ active: event.target.checked })} />
      {form.error !== undefined && (
        <Banner tone="loss" offersHelp={form.offersHelp}>
          {form.error}
        </Banner>
      )}
      <div className="flex gap-3">
        <Button type="submit" size="small" className="min-h-11" disabled={form.isPending}>
          {form.isPending && <Spinner />}
          Save coupon
        </Button>
        <Button variant="secondary" size="small" className="min-h-11" disabled={form.isPending} onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
