import { useState, type ReactNode } from "react";
import * as z from "zod/mini";
import { Coupon, NewCoupon } from "#domain/api/payments/coupons";
import { code } from "#domain/api/fields";
import {
  couponPackages,
  isCouponPeriod,
  isDiscountPercent,
  normaliseCouponInput,
  type CouponPackages,
} from "#domain/payments/coupon";
import { ownTimeZone } from "../../../entities/live-session/time-zones.ts";
import { api } from "../../../platform/api.ts";
import { useForm } from "../../../platform/form.ts";
import { localTime } from "../../../platform/format.ts";
import { Button } from "../../../ui/button.tsx";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { FormError } from "../../../ui/form-error.tsx";
import { packagesNames } from "./coupon-texts.ts";
import { refreshCoupons } from "./queries.ts";

/** The contract's rules over what the fields hold, with texts short enough for two columns. */
const percent = z.string().check(
  z.trim(),
  z.refine((text) => isDiscountPercent(text), code("percent_out_of_range")),
);
const { packages, max_uses, starts_at: couponTime } = Coupon.shape;
/** Of a field of date and time, in the browser's time zone. */
const time = z.pipe(
  z.transform((text: string) => (text === "" ? null : utcTime(text))),
  couponTime,
);
/** The terms that the form sets: all of a new coupon's but `active`, which the list sets. A missing one does not compile. */
type FormTerms = Exclude<keyof NewCoupon, "active">;
const CouponFields = z
  .object({
    code: z.pipe(z.string().check(z.minLength(1, code("coupon_empty"))), NewCoupon.shape.code),
    packages,
    discount_starter: percent,
    discount_advanced: percent,
    starts_at: time,
    ends_at: time,
    max_uses: z.pipe(
      z.transform((text: string) => (text.trim() === "" ? null : Number(text))),
      max_uses,
    ),
  } satisfies Record<FormTerms, z.ZodMiniType>)
  .check(
    z.refine(({ starts_at, ends_at }) => isCouponPeriod(starts_at, ends_at), {
      error: code("coupon_period_invalid"),
      path: ["ends_at"],
    }),
  );

interface CouponFormProps {
  /** Undefined adds a new one. */
  coupon: Coupon | undefined;
  /** Called with the code of what is saved; the form may stay open. */
  onSaved?: (code: string) => void;
  onClose: () => void;
}

type Values = ReturnType<typeof valuesOf>;
interface Saved {
  code: string;
  values: Values;
}

export function CouponForm({ coupon, onSaved, onClose }: CouponFormProps): ReactNode {
  const initial = valuesOf(coupon);
  // What the form was opened with, or what it has saved since.
  const [saved, setSaved] = useState<Saved | undefined>(coupon && { code: coupon.code, values: initial });
  const form = useForm({
    initial,
    schema: CouponFields,
    mutationFn: async ({ code: newCode, ...terms }): Promise<Saved> => {
      const sent: Values = form.values;
      if (!saved) await api.coupons.create({ code: newCode, ...terms });
      else {
        // A time is kept to the second unless its field was changed.
        const isChanged = ([name]: [string, unknown]): boolean =>
          sent[name as keyof Values] !== saved.values[name as keyof Values];
        const body = Object.fromEntries(Object.entries(terms).filter(isChanged));
        if (Object.keys(body).length > 0) await api.coupons.update({ params: { code: saved.code }, body });
      }
      return { code: newCode, values: sent };
    },
    onSuccess: (done) => {
      setSaved(done);
      onSaved?.(done.code);
      return refreshCoupons();
    },
    onDone: onClose,
    fieldOfCode: { coupon_exists: "code" },
  });
  const { field, values } = form;
  return (
    <form className="grid gap-4" aria-label={saved ? `Edit ${saved.code}` : "New coupon"} onSubmit={form.onSubmit} noValidate>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Code"
          className="font-figures uppercase"
          autoComplete="off"
          maxLength={40}
          readOnly={saved !== undefined || form.isPending}
          {...field("code")}
          onChange={(event) => form.set({ code: normaliseCouponInput(event.target.value) })}
        />
        <SelectField
          label="For"
          {...field("packages")}
          onChange={(event) => form.set(withPackages(values, event.target.value as CouponPackages))}
        >
          {couponPackages.map((one) => (
            <option key={one} value={one}>
              {packagesNames[one]}
            </option>
          ))}
        </SelectField>
        {values.packages !== "advanced" && (
          <TextField label="Starter %" inputMode="decimal" className="figures" {...field("discount_starter")} />
        )}
        {values.packages !== "starter" && (
          <TextField label="Advanced %" inputMode="decimal" className="figures" {...field("discount_advanced")} />
        )}
      </div>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-1">
        <TextField
          label="From"
          hint={`Empty: at once. In your time zone, ${ownTimeZone()}.`}
          type="datetime-local"
          className="figures"
          {...field("starts_at")}
        />
        <TextField label="Until" hint="Empty: no end." type="datetime-local" className="figures" {...field("ends_at")} />
        <TextField
          label="Most uses"
          hint="Empty: no limit. A rejected request frees its use."
          inputMode="numeric"
          className="figures"
          {...field("max_uses")}
        />
      </div>
      <FormError form={form} />
      <div className="flex gap-3">
        <Button type="submit" size="small" isBusy={form.isPending}>
          Save coupon
        </Button>
        <Button variant="secondary" size="small" disabled={form.isPending} onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** The percent of a package that a coupon is not for is kept, and 0 where it is not valid, since a hidden field displays no error. */
function withPackages(values: Values, chosen: CouponPackages) {
  return {
    packages: chosen,
    ...(chosen === "starter" && { discount_advanced: validPercent(values.discount_advanced) }),
    ...(chosen === "advanced" && { discount_starter: validPercent(values.discount_starter) }),
  };
}

const validPercent = (text: string): string => (isDiscountPercent(text.trim()) ? text : "0");

function valuesOf(coupon: Coupon | undefined) {
  return {
    code: coupon?.code ?? "",
    packages: coupon?.packages ?? "both",
    discount_starter: coupon?.discount_starter ?? "",
    discount_advanced: coupon?.discount_advanced ?? "",
    starts_at: fieldTime(coupon?.starts_at ?? null),
    ends_at: fieldTime(coupon?.ends_at ?? null),
    max_uses: String(coupon?.max_uses ?? ""),
  } satisfies Record<FormTerms, unknown>;
}

/** Returns a time that is none, such as one in a year of five digits, as it is: the contract refuses it. */
function utcTime(text: string): string {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : at.toISOString();
}

function fieldTime(iso: string | null): string {
  if (iso === null) return "";
  const { date, time: timeOfDay } = localTime(iso, ownTimeZone());
  return `${date}T${timeOfDay}`;
}
