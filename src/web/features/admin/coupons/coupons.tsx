import { Pencil, Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { Coupon } from "#domain/api/coupons";
import { api } from "../../../platform/api.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Panel, PanelTitle } from "../../../ui/panel.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { CouponForm } from "./coupon-form.tsx";
import { couponsOptions, useCoupons } from "./queries.ts";
import { DeleteDialog } from "../delete-dialog.tsx";
import { NotLoaded } from "../not-loaded.tsx";
import { ShowMore } from "../show-more.tsx";

export function Coupons(): ReactNode {
  const coupons = useCoupons();
  const [edited, setEdited] = useState<Coupon | "new">();
  const [deleting, setDeleting] = useState<Coupon>();
  return (
    <Panel aria-label="Coupons">
      <PanelTitle
        aside={
          edited === undefined && (
            <Button variant="secondary" size="small" className="min-h-11" onClick={() => setEdited("new")}>
              Add coupon
            </Button>
          )
        }
      >
        Coupons
      </PanelTitle>
      {edited !== undefined && (
        <CouponForm
          key={edited === "new" ? "new" : edited.code}
          coupon={edited === "new" ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      {coupons.isPending && <Skeleton className="h-16" />}
      {coupons.isLoadingError && <NotLoaded what="coupons" retry={() => void coupons.refetch()} />}
      <ul className="divide-y divide-line">
        {coupons.data?.map((coupon) => (
          <li key={coupon.code} className="flex items-center justify-between gap-3 py-3">
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-2">
                <span className="font-figures font-semibold break-all">{coupon.code}</span>
                {!coupon.active && <Badge>Inactive</Badge>}
              </p>
              <p className="figures text-small text-muted">
                Starter {coupon.discount_starter}% · Advanced {coupon.discount_advanced}%
              </p>
            </div>
            <div className="flex shrink-0">
              <IconButton label={`Edit ${coupon.code}`} onClick={() => setEdited(coupon)}>
                <Pencil aria-hidden className="size-4.5" />
              </IconButton>
              <IconButton label={`Delete ${coupon.code}`} className="hover:text-loss" onClick={() => setDeleting(coupon)}>
                <Trash2 aria-hidden className="size-4.5" />
              </IconButton>
            </div>
          </li>
        ))}
      </ul>
      <ShowMore list={coupons} />
      <DeleteDialog
        row={deleting}
        title="Delete coupon"
        remove={({ code }) => api.coupons.remove({ params: { code } })}
        queryKey={couponsOptions.queryKey}
        onClose={() => setDeleting(undefined)}
      >
        <p>
          Are you sure you want to delete the coupon{" "}
          <span className="font-figures font-semibold text-ink">{deleting?.code}</span>? Requests that used it keep their price.
        </p>
      </DeleteDialog>
    </Panel>
  );
}
