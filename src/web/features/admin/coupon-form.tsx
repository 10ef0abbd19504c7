import { useState, type SubmitEvent, type ReactNode } from "react";
import * as z from "zod/mini";
import type { Coupon } from "#domain/api/coupons";
import { isDiscountPercent, normaliseCouponInput } from "#domain/coupon";
import { errors as catalogue } from "#domain/messages";
import { api } from "../../platform/api.ts";
import { messageOf } from "../../platform/errors.ts";
import { queryClient, queryKeys } from "../../platform/query-client.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { checkForm, focusFirstError, type FieldErrors } from "./field-errors.ts";

const percent = z.string().check(
  z.trim(),
  z.refine((text) => isDiscountPercent(text), "A percent from 0 to 100."),
);
const Form = z.object({
  code: z.string().check(z.minLength(1, catalogue.coupon_empty.text)),
  discount_starter: percent,
  discount_advanced: percent,
  active: z.boolean(),
});

interface CouponFormProps {
  /** Undefined makes a new one. */
  coupon: Coupon | undefined;
  onClose: () => void;
}

export function CouponForm({ coupon, onClose }: CouponFormProps): ReactNode {
  const [values, setValues] = useState<Coupon>(
    coupon ?? { code: "", discount_starter: "", discount_advanced: "", active: true },
  );
  const [errors, setErrors] = useState<FieldErrors>({});
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const set = (changes: Partial<Coupon>): void => {
    setValues((before) => ({ ...before, ...changes }));
    setErrors({});
  };

  const save = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    setError(undefined);
    const checked = checkForm(Form, values);
    if (checked.errors) {
      setErrors(checked.errors);
      return focusFirstError(event.currentTarget);
    }
    setBusy(true);
    try {
      const { code, ...body } = checked.data;
      if (coupon) await api.coupons.update({ params: { code: coupon.code }, body });
      else await api.coupons.create({ code, ...body });
      await queryClient.invalidateQueries({ queryKey: queryKeys.coupons });
      onClose();
    } catch (thrown) {
      setError(messageOf(thrown, "unexpected"));
      setBusy(false);
    }
  };

  return (
    <form className="mb-5 grid gap-4 border-b border-line pb-5" onSubmit={(event) => void save(event)} noValidate>
      <TextField
        label="Code"
        name="code"
        className="font-figures uppercase"
        autoComplete="off"
        maxLength={40}
        readOnly={coupon !== undefined}
        value={values.code}
        error={errors["code"]}
        onChange={(event) => set({ code: normaliseCouponInput(event.target.value) })}
      />
      <div className="grid grid-cols-2 gap-4">
        <TextField
          label="Starter %"
          name="discount_starter"
          inputMode="decimal"
          className="figures"
          value={values.discount_starter}
          error={errors["discount_starter"]}
          onChange={(event) => set({ discount_starter: event.target.value })}
        />
        <TextField
          label="Advanced %"
          name="discount_advanced"
          inputMode="decimal"
          className="figures"
          value={values.discount_advanced}
          error={errors["discount_advanced"]}
          onChange={(event) => set({ discount_advanced: event.target.value })}
        />
      </div>
      <Checkbox label="Active" checked={values.active} onChange={(event) => set({ active: event.target.checked })} />
      {error !== undefined && <Banner tone="loss">{error}</Banner>}
      <div className="flex gap-3">
        <Button type="submit" size="small" className="min-h-11" disabled={isBusy}>
          {isBusy && <Spinner />}
          Save coupon
        </Button>
        <Button kind="secondary" size="small" className="min-h-11" disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
