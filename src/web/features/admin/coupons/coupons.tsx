import { useState, type ReactNode } from "react";
import type { Coupon } from "#domain/api/payments/coupons";
import { couponStates } from "#domain/payments/coupon";
import { api } from "../../../platform/api.ts";
import { Button } from "../../../ui/button.tsx";
import { Panel, PanelTitle } from "../../../ui/panel.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { CouponForm } from "./coupon-form.tsx";
import { CouponRow } from "./coupon-row.tsx";
import { stateNames } from "./coupon-texts.ts";
import { CouponFilters, couponsKey, useCoupons } from "./queries.ts";
import { countText, FilterBar, FilterSelect } from "../list/filter-bar.tsx";
import { SearchField } from "../list/search-field.tsx";
import { useHold } from "../list/use-hold.ts";
import { useListFilters } from "../list/use-list-filters.ts";
import { useSteadyRows } from "../list/use-steady-rows.ts";
import { DeleteDialog } from "../delete-dialog.tsx";
import { EmptyLoadError } from "../empty-load-error.tsx";
import { ShowMore } from "../show-more.tsx";

const states = [
  { value: "all" as const, label: "All states" },
  ...couponStates.map((value) => ({ value, label: stateNames[value] })),
];
const codeOf = ({ code }: Coupon): string => code;

/** The form of a new coupon, which stays open where it was edited while it was saved. */
interface Adding {
  /** Undefined until it is saved. */
  code: string | undefined;
}

/** The coupons, each edited in its place (COUPON-1, COUPON-8). */
export function Coupons(): ReactNode {
  const [filters, change] = useListFilters(CouponFilters);
  const coupons = useCoupons(filters);
  const [adding, setAdding] = useState<Adding>();
  return (
    <Panel aria-label="Coupons">
      <PanelTitle
        aside={
          adding === undefined && (
            <Button variant="secondary" size="small" onClick={() => setAdding({ code: undefined })}>
              Add coupon
            </Button>
          )
        }
      >
        Coupons
      </PanelTitle>
      {adding && (
        <div className="mb-5 border-b border-line pb-5">
          <CouponForm coupon={undefined} onSaved={(code) => setAdding({ code })} onClose={() => setAdding(undefined)} />
        </div>
      )}
      <FilterBar label="Coupons" count={countText(coupons, ["coupon", "coupons"])}>
        <SearchField
          label="Search by code"
          value={filters.search}
          onSearch={(search) => change({ search }, { replace: true })}
        />
        <FilterSelect label="State" value={filters.state} options={states} onChange={(state) => change({ state })} />
      </FilterBar>
      {coupons.isPending && <Skeleton className="h-16" />}
      {coupons.isLoadingError && <EmptyLoadError what="coupons" retry={() => void coupons.refetch()} />}
      <CouponList coupons={coupons.data ?? []} source={JSON.stringify(filters)} added={adding?.code} />
      <ShowMore list={coupons} />
    </Panel>
  );
}

interface CouponListProps {
  coupons: Coupon[];
  source: string;
  /** Has its form above the list already, where there is one. */
  added: string | undefined;
}

/** Rows stay while somebody is at work in the list, so that none moves under the pointer. */
function CouponList({ coupons, source, added }: CouponListProps): ReactNode {
  const [edited, setEdited] = useState<Coupon>();
  const [deleting, setDeleting] = useState<Coupon>();
  const [deleted, setDeleted] = useState<readonly string[]>([]);
  const { isHeld, area } = useHold();
  const isGone = ({ code }: Coupon): boolean => deleted.includes(code);
  const steady = useSteadyRows(coupons, codeOf, { isHeld, source, isGone });
  const rows = steady.rows.filter(({ code }) => code !== added);
  // Another one may have been opened while this one was saved.
  const close = (): void => setEdited((now) => (now === edited ? undefined : now));
  // A form stays where a search leaves its coupon out, such as that of another tab, which has the same address.
  const isLeftOut = edited !== undefined && edited.code !== added && !rows.some(({ code }) => code === edited.code);
  return (
    <>
      <ul className="divide-y divide-line" {...area}>
        {(isLeftOut ? [edited, ...rows] : rows).map((coupon) => (
          <li key={coupon.code} className="py-4">
            {edited?.code === coupon.code ? (
              <CouponForm coupon={edited} onClose={close} />
            ) : (
              <CouponRow coupon={coupon} onEdit={() => setEdited(coupon)} onDelete={() => setDeleting(coupon)} />
            )}
          </li>
        ))}
      </ul>
      <DeleteDialog
        row={deleting}
        title="Delete coupon"
        remove={async ({ code }) => {
          await api.coupons.remove({ params: { code } });
          setDeleted((before) => [...before, code]);
        }}
        queryKey={couponsKey}
        onClose={() => setDeleting(undefined)}
      >
        <p>
          Are you sure you want to delete the coupon{" "}
          <span className="font-figures font-semibold text-ink">{deleting?.code}</span>? Requests that used it keep their price.
        </p>
      </DeleteDialog>
    </>
  );
}
