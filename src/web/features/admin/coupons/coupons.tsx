import { useState, type ReactNode } from "react";
import type { Coupon } from "#domain/api/coupons";
import { api } from "../../../platform/api.ts";
import { Button } from "../../../ui/button.tsx";
import { Panel, PanelTitle } from "../../../ui/panel.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { CouponForm } from "./coupon-form.tsx";
import { CouponRow } from "./coupon-row.tsx";
import { couponsKey, useCoupons } from "./queries.ts";
import { DeleteDialog } from "../delete-dialog.tsx";
import { NotLoaded } from "../not-loaded.tsx";
import { ShowMore } from "../show-more.tsx";

/** The coupons, each edited in its place (COUPON-1, COUPON-8). */
export function Coupons(): ReactNode {
  const coupons = useCoupons({});
  const [edited, setEdited] = useState<string>();
  const [isAdding, setIsAdding] = useState(false);
  const [deleting, setDeleting] = useState<Coupon>();
  return (
    <Panel aria-label="Coupons">
      <PanelTitle
        aside={
          !isAdding && (
            <Button variant="secondary" size="small" className="min-h-11" onClick={() => setIsAdding(true)}>
              Add coupon
            </Button>
          )
        }
      >
        Coupons
      </PanelTitle>
      {isAdding && (
        <div className="mb-5 border-b border-line pb-5">
          <CouponForm coupon={undefined} onClose={() => setIsAdding(false)} />
        </div>
      )}
      {coupons.isPending && <Skeleton className="h-16" />}
      {coupons.isLoadingError && <NotLoaded what="coupons" retry={() => void coupons.refetch()} />}
      <ul className="divide-y divide-line">
        {coupons.data?.map((coupon) => (
          <li key={coupon.code} className="py-4">
            {edited === coupon.code ? (
              <CouponForm coupon={coupon} onClose={() => setEdited(undefined)} />
            ) : (
              <CouponRow coupon={coupon} onEdit={() => setEdited(coupon.code)} onDelete={() => setDeleting(coupon)} />
            )}
          </li>
        ))}
      </ul>
      <ShowMore list={coupons} />
      <DeleteDialog
        row={deleting}
        title="Delete coupon"
        remove={({ code }) => api.coupons.remove({ params: { code } })}
        queryKey={couponsKey}
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
