import { ShieldOff, Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import type { ListedUser } from "#domain/api/users";
import { day, dateTime } from "../../../platform/format.ts";
import { Badge } from "../../../ui/badge.tsx";
import { IconButton } from "../../../ui/button.tsx";
import { Empty } from "../../../ui/panel.tsx";
import { ExportButton } from "../exports/export-button.tsx";
import { countText, FilterBar, FilterChoice, FilterSelect } from "../list/filter-bar.tsx";
import { SearchField } from "../list/search-field.tsx";
import { useListFilters } from "../list/use-list-filters.ts";
import { VirtualTable, type ListColumn } from "../list/virtual-table.tsx";
import { EmptyLoadError } from "../empty-load-error.tsx";
import { useTierCounts } from "../overview/queries.ts";
import { TabLoading } from "../tab-loading.tsx";
import { DeleteUserDialog, TurnOffFactorDialog } from "./dialogs.tsx";
import { UserFilters, useUsers } from "./queries.ts";
import { Sharing } from "./sharing.tsx";
import { TierMenu } from "./tier-menu.tsx";

const columnsFor = (turnOff: (user: ListedUser) => void, remove: (user: ListedUser) => void): ListColumn<ListedUser>[] => [
  { name: "Student", track: "minmax(0, 1fr)", isHeader: true, cell: (user) => <Who user={user} /> },
  { name: "Package", track: "10rem", cell: (user) => <TierMenu user={user} /> },
  {
    name: "Joined",
    track: "8rem",
    cell: (user) => <time dateTime={user.created_at}>{day(user.created_at)}</time>,
  },
  {
    name: "Last sign-in",
    track: "12rem",
    cell: (user) =>
      user.last_sign_in_at === null ? (
        <span className="text-muted">Never</span>
      ) : (
        <time dateTime={user.last_sign_in_at}>{dateTime(user.last_sign_in_at)}</time>
      ),
  },
  {
    name: "Actions",
    track: "8rem",
    cell: (user) => (
      <span className="flex">
        <IconButton label={`Delete ${user.email}`} className="hover:text-loss" onClick={() => remove(user)}>
          <Trash2 aria-hidden className="size-4.5" />
        </IconButton>
        {user.second_factor && (
          <IconButton label={`Turn off two-step sign-in of ${user.email}`} onClick={() => turnOff(user)}>
            <ShieldOff aria-hidden className="size-4.5" />
          </IconButton>
        )}
      </span>
    ),
  },
];

const keyOf = ({ id }: ListedUser): string => id;
const tiers = [
  { value: "all", label: "All" },
  { value: "unpaid", label: "Unpaid" },
  { value: "starter", label: "Starter" },
  { value: "advanced", label: "Advanced" },
] as const;
const sorts = [
  { value: "newest", label: "Newest first" },
  { value: "oldest", label: "Oldest first" },
  { value: "last-sign-in", label: "Last sign-in first" },
] as const;

/** The students of the site (ADMIN-2, USER-1). */
export function UsersTab(): ReactNode {
  const [filters, change] = useListFilters(UserFilters);
  const users = useUsers(filters);
  const counts = useTierCounts().data;
  const [deleting, setDeleting] = useState<ListedUser>();
  const [deleted, setDeleted] = useState<readonly string[]>([]);
  const [turningOff, setTurningOff] = useState<ListedUser>();
  const isFiltered = filters.search !== "" || filters.tier !== "all";
  return (
    <section aria-labelledby="students">
      <h2 id="students" className="sr-only">
        Students
      </h2>
      <Sharing />
      <FilterBar label="Students" count={countText(users, ["student", "students"])}>
        <SearchField
          label="Search by e-mail or name"
          value={filters.search}
          onSearch={(search) => change({ search }, { replace: true })}
        />
        <FilterChoice
          label="Package"
          value={filters.tier}
          options={tiers.map((tier) => ({ ...tier, count: tier.value === "all" ? undefined : counts?.[tier.value] }))}
          onChange={(tier) => change({ tier })}
        />
        <FilterSelect label="Order" value={filters.sort} options={sorts} onChange={(sort) => change({ sort })} />
        <ExportButton
          name="users"
          filters={{ search: filters.search, tier: filters.tier === "all" ? undefined : filters.tier, sort: filters.sort }}
        />
      </FilterBar>
      {users.isPending ? (
        <TabLoading />
      ) : users.isLoadingError ? (
        <EmptyLoadError what="students" retry={() => void users.refetch()} />
      ) : (
        <VirtualTable
          caption={`Students, ${sorts.find(({ value }) => value === filters.sort)?.label.toLowerCase()}`}
          nouns={["student", "students"]}
          columns={columnsFor(setTurningOff, setDeleting)}
          list={users}
          keyOf={keyOf}
          empty={
            <Empty title={isFiltered ? "No student matches" : "No students yet"}>
              {isFiltered ? "Try another word, or another package." : "Whoever signs up appears here at once."}
            </Empty>
          }
          isGone={({ id }) => deleted.includes(id)}
          source={`users ${JSON.stringify(filters)}`}
        />
      )}
      <DeleteUserDialog
        user={deleting}
        onDeleted={({ id }) => setDeleted((before) => [...before, id])}
        onClose={() => setDeleting(undefined)}
      />
      <TurnOffFactorDialog user={turningOff} onClose={() => setTurningOff(undefined)} />
    </section>
  );
}

function Who({ user }: { user: ListedUser }): ReactNode {
  return (
    <>
      <span className="flex flex-wrap items-center gap-2 font-medium">
        <Link
          to={`/admin/users/${user.id}`}
          className="inline-flex min-h-9 min-w-0 items-center rounded-control text-action underline-offset-4 wrap-anywhere hover:underline"
        >
          {user.user_metadata.full_name}
        </Link>
        {!user.email_verified && <Badge tone="caution">Not verified</Badge>}
      </span>
      <span className="block text-small wrap-anywhere text-muted">{user.email}</span>
    </>
  );
}
