import { ArrowLeft } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useNavigate, useParams } from "react-router";
import type { UserDetail } from "#domain/api/users";
import { errors } from "#domain/errors/messages";
import { texts } from "#domain/texts/texts";
import { productErrorOf } from "../../../../platform/errors.ts";
import { useReportedError } from "../../../../platform/query/reported-error.ts";
import { useTitle } from "../../../../platform/site.ts";
import { Badge } from "../../../../ui/badge.tsx";
import { Button, ButtonLink } from "../../../../ui/button.tsx";
import { NotThere } from "../../../../ui/not-there.tsx";
import { PageLoading } from "../../../../ui/spinner.tsx";
import { AuditPanel } from "../../audit/audit-panel.tsx";
import { EmailAddress } from "../../email-address.tsx";
import { AdminFrame } from "../../frame.tsx";
import { RequestsPanel } from "../../payments/request/records.tsx";
import { ReportedError } from "../../reported-error.tsx";
import { ShowMore } from "../../show-more.tsx";
import { DeleteUserDialog, TurnOffFactorDialog } from "../dialogs.tsx";
import { TierMenu } from "../tier-menu.tsx";
import { GrantDialog } from "./grant-dialog.tsx";
import { NotesPanel } from "./notes-panel.tsx";
import { ProfilePanel } from "./profile-panel.tsx";
import { useUser, useUserAudit } from "./queries.ts";
import { SessionsPanel } from "./sessions-panel.tsx";

/** One student with all that is known of them, and what the admin can do (USER-4). */
export function UserPage(): ReactNode {
  const { id = "" } = useParams();
  const user = useUser(id);
  useTitle(user.data?.email ?? "Student");
  if (user.isPending) return <PageLoading text={texts.admin.loading} />;
  // Also when the student is deleted while one reads; what else fails then leaves what is typed alone.
  if (!user.data || productErrorOf(user.error).status === 404)
    return (
      <NotThere
        error={user.error}
        missing={errors.user_not_found.text}
        retry={() => void user.refetch()}
        titles={{ missing: "No student here", notLoaded: "The student could not be loaded" }}
        backTo="/admin?tab=users"
        backLabel="All students"
      />
    );
  return (
    <AdminFrame>
      {/* Its dialogs and drafts belong to one student. */}
      <Student key={id} user={user.data} />
    </AdminFrame>
  );
}

function Student({ user }: { user: UserDetail }): ReactNode {
  return (
    <div className="grid grid-cols-1 gap-6">
      <ReportedError error={useReportedError()} />
      <Heading user={user} />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
        <ProfilePanel user={user} />
        <NotesPanel user={user} />
        <RequestsPanel title="Payment requests" requests={user.requests} />
        <SessionsPanel user={user} />
      </div>
      <StudentAudit user={user} />
    </div>
  );
}

/** The newest entries come with the student. */
function StudentAudit({ user }: { user: UserDetail }): ReactNode {
  const entries = useUserAudit(user.id);
  return (
    <AuditPanel audit={entries.data ?? user.audit}>
      <ShowMore list={entries} />
    </AuditPanel>
  );
}

function Heading({ user }: { user: UserDetail }): ReactNode {
  const navigate = useNavigate();
  const [open, setOpen] = useState<"grant" | "delete" | "factor">();
  const close = (): void => setOpen(undefined);
  return (
    <div>
      <ButtonLink to="/admin?tab=users" variant="quiet" size="small" className="-ml-3">
        <ArrowLeft aria-hidden className="size-4" />
        All students
      </ButtonLink>
      <div className="mt-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-3">
            <h1 className="min-w-0 text-heading wrap-anywhere">{user.user_metadata.full_name}</h1>
            {!user.email_verified && <Badge tone="caution">Not verified</Badge>}
          </div>
          <p className="wrap-anywhere text-muted">
            <EmailAddress email={user.email} />
          </p>
        </div>
        <div className="flex flex-wrap gap-3">
          <TierMenu user={user} />
          {user.subscription_status !== "advanced" && user.email_verified && (
            <Button variant="secondary" size="small" onClick={() => setOpen("grant")}>
              Give for free
            </Button>
          )}
          {user.second_factor && (
            <Button variant="secondary" size="small" onClick={() => setOpen("factor")}>
              Turn off two-step sign-in
            </Button>
          )}
          <Button variant="danger" size="small" onClick={() => setOpen("delete")}>
            Delete
          </Button>
        </div>
      </div>
      <GrantDialog user={user} isOpen={open === "grant"} onClose={close} />
      <TurnOffFactorDialog user={open === "factor" ? user : undefined} onClose={close} />
      <DeleteUserDialog
        user={open === "delete" ? user : undefined}
        onDeleted={() => void navigate("/admin?tab=users", { replace: true })}
        onClose={close}
      />
    </div>
  );
}
