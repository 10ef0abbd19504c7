import type { ReactNode } from "react";
import { packages, packageTypes } from "#domain/packages";
import { cryptoTypes, paymentMethod } from "#domain/payment-methods/methods";
import { nothingToPay } from "#domain/payments/transfer";
import { ExportButton } from "../exports/export-button.tsx";
import { FilterBar, FilterChoice, FilterSelect } from "../list/filter-bar.tsx";
import { SearchField } from "../list/search-field.tsx";
import { contractFilter, sortOf, type PaymentFilters } from "./filters.ts";
import { usePaymentCounts } from "./queries.ts";
import { ShortcutHelp } from "./review/shortcut-help.tsx";

interface PaymentFilterBarProps {
  filters: PaymentFilters;
  onChange: (changes: Partial<PaymentFilters>, options?: { replace: boolean }) => void;
}

/** The filters of the payment requests, with how many there are of each status. */
export function PaymentFilterBar({ filters, onChange }: PaymentFilterBarProps): ReactNode {
  const counts = usePaymentCounts().data;
  const { status, method, package: packageType, flagged, search } = filters;
  const isReordered = sortOf(filters) !== sortOf({ ...filters, sort: "default" });
  const areSet = [method !== "all", packageType !== "all", status === "pending" && flagged !== "all", isReordered];
  return (
    <FilterBar
      label="Payment requests"
      count={status === "pending" && countsText(counts)}
      foldedSet={areSet.filter(Boolean).length}
      folded={
        <>
          <FilterSelect
            label="Method"
            value={method}
            options={[
              { value: "all", label: "Every method" },
              ...cryptoTypes.map((value) => ({ value, label: paymentMethod(value).name })),
              { value: "none", label: nothingToPay },
            ]}
            onChange={(next) => onChange({ method: next })}
          />
          <FilterSelect
            label="Package"
            value={packageType}
            options={[
              { value: "all", label: "Every package" },
              ...packageTypes.map((value) => ({ value, label: packages[value].name })),
            ]}
            onChange={(next) => onChange({ package: next })}
          />
          {status === "pending" && (
            <FilterSelect
              label="Second look"
              value={flagged}
              options={[
                { value: "all", label: "Flagged or not" },
                { value: "true", label: "Flagged" },
                { value: "false", label: "Not flagged" },
              ]}
              onChange={(next) => onChange({ flagged: next })}
            />
          )}
          <FilterSelect
            label="Order"
            value={sortOf(filters)}
            options={[
              { value: "oldest", label: "Oldest first" },
              { value: "newest", label: "Newest first" },
            ]}
            onChange={(next) => onChange({ sort: next })}
          />
          <ExportButton name="payments" filters={contractFilter(filters)} />
          {status === "pending" && <ShortcutHelp hasSearch />}
        </>
      }
    >
      <FilterChoice
        label="Status"
        value={status}
        options={[
          { value: "pending", label: "Pending", count: counts?.pending },
          { value: "approved", label: "Approved", count: counts?.approved },
          { value: "rejected", label: "Rejected", count: counts?.rejected },
          { value: "all", label: "All" },
        ]}
        onChange={(next) => onChange({ status: next })}
      />
      <SearchField
        label="Search payment requests"
        value={search}
        onSearch={(text) => onChange({ search: text }, { replace: true })}
      />
    </FilterBar>
  );
}

function countsText(counts: ReturnType<typeof usePaymentCounts>["data"]): string {
  if (counts === undefined) return "";
  const flagged = counts.flagged === 0 ? "" : `, ${counts.flagged} of them flagged`;
  return `${counts.pending} waiting${flagged}`;
}
