import { ShieldOff, Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { ListedUser } from "#domain/api/users";
import { subscriptionStatuses, type SubscriptionStatus } from "#domain/packages";
import { texts } from "#domain/texts/texts";
import { api } from "../../../platform/api.ts";
import { day, dateTime } from "../../../platform/format.ts";
import { Badge } from "../../../ui/badge.tsx";
import { IconButton } from "../../../ui/button.tsx";
import { DataTable, type Column } from "../../../ui/data-table.tsx";
import { BareSelect } from "../../../ui/field.tsx";
import { Empty } from "../../../ui/panel.tsx";
import { DeleteDialog } from "../delete-dialog.tsx";
import { NotLoaded } from "../not-loaded.tsx";
import { ShowMore } from "../show-more.tsx";
import { Sharing } from "./sharing.tsx";
import { TabLoading } from "../tab-loading.tsx";
import { useSetTier, usersOptions, useUsers } from "./queries.ts";

const columnsFor = (turnOff: (user: ListedUser) => void, remove: (user: ListedUser) => void): Column<ListedUser>[] => [
  { name: "Student", isHeader: true, cell: (user) => <Who user={user} /> },
  { name: "Package", cell: (user) => <TierSelect user={user} /> },
  { name: "Joined", cell: (user) => <time dateTime={user.created_at}>{day(user.created_at)}</time> },
  {
    name: "Last sign-in",
    cell: (user) =>
      user.last_sign_in_at === null ? (
        <span className="text-muted">Never</span>
      ) : (
        <time dateTime={user.last_sign_in_at}>{dateTime(user.last_sign_in_at)}</time>
      ),
  },
  {
    name: "Actions",
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

export function UsersTab(): ReactNode {
  const users = useUsers();
  const [deleting, setDeleting] = useState<ListedUser>();
  const [turningOff, setTurningOff] = useState<ListedUser>();
  const rows = users.data ?? [];
  const columns = columnsFor(setTurningOff, setDeleting);
  if (users.isPending) return <TabLoading />;
  return (
    <>
      <Sharing />
      {users.isLoadingError ? (
        <NotLoaded what="students" retry={() => void users.refetch()} />
      ) : rows.length === 0 ? (
        <Empty title="No students yet">Whoever signs up appears here at once.</Empty>
      ) : (
        <DataTable caption="Students, newest first" columns={columns} rows={rows} keyOf={({ id }) => id} />
      )}
      <ShowMore list={users} />
      <DeleteDialog
        row={deleting}
        title="Delete user"
        remove={({ id }) => api.users.remove({ query: { userId: id } })}
        queryKey={usersOptions.queryKey}
        fallback="user_delete_failed"
        onClose={() => setDeleting(undefined)}
      >
        <p>{texts.admin.confirmDeleteUser}</p>
        <p className="font-medium wrap-anywhere text-ink">{deleting?.email}</p>
      </DeleteDialog>
      <DeleteDialog
        row={turningOff}
        title="Turn off two-step sign-in"
        confirmLabel="Turn off"
        remove={({ id }) => api.users.removeSecondFactor({ query: { userId: id } })}
        queryKey={usersOptions.queryKey}
        onClose={() => setTurningOff(undefined)}
      >
        <p>
          For a student who lost phone and recovery codes. Make sure that it is really them: afterwards the password alone opens
          the account. All their sessions end, and they are notified by mail.
        </p>
        <p className="font-medium wrap-anywhere text-ink">{turningOff?.email}</p>
      </DeleteDialog>
    </>
  );
}

function Who({ user }: { user: ListedUser }): ReactNode {
  return (
    <>
      <span className="flex flex-wrap items-center gap-2 font-medium">
        <span className="min-w-0 wrap-anywhere">{user.user_metadata.full_name}</span>
        {!user.email_verified && <Badge tone="caution">Not verified</Badge>}
      </span>
      <span className="block text-small wrap-anywhere text-muted">{user.email}</span>
    </>
  );
}

function TierSelect({ user }: { user: ListedUser }): ReactNode {
  const { mutate, isPending, variables } = useSetTier();
  return (
    <BareSelect
      label={`Package of ${user.email}`}
      className="max-w-44 capitalize"
      value={isPending ? variables.tier : user.subscription_status}
      disabled={isPending}
      onChange={(event) => mutate({ userId: user.id, tier: event.target.value as SubscriptionStatus })}
    >
      {subscriptionStatuses.map((tier) => (
        <option key={tier} value={tier}>
          {tier}
        </option>
      ))}
    </BareSelect>
  );
}
