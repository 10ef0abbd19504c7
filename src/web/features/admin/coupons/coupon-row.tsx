import type { ReactNode } from "react";
import type { Coupon } from "#domain/api/payments/coupons";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { EditButtons } from "../edit-buttons.tsx";
import { stateNames, stateTones, termLines, usesText } from "./coupon-texts.ts";
import { useSwitchCoupon } from "./queries.ts";

interface CouponRowProps {
  coupon: Coupon;
  onEdit: () => void;
  onDelete: () => void;
}

/** A coupon with its uses, and one click to switch it off or on. */
export function CouponRow({ coupon, onEdit, onDelete }: CouponRowProps): ReactNode {
  const { code, state, active } = coupon;
  const { mutate, isPending } = useSwitchCoupon(coupon);
  const lines = [...termLines(coupon), usesText(coupon)];
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-figures font-semibold break-all">{code}</span>
          <Badge tone={stateTones[state]}>{stateNames[state]}</Badge>
        </p>
        <ul className="figures mt-1 text-small text-muted">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </div>
      <div className="flex shrink-0 items-center">
        <Button variant="secondary" size="small" disabled={isPending} onClick={() => mutate(!active)}>
          {active ? "Switch off" : "Switch on"}
          <span className="sr-only">{code}</span>
        </Button>
        <EditButtons name={code} onEdit={onEdit} onDelete={onDelete} />
      </div>
    </div>
  );
}
