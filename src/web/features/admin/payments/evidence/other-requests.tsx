import type { ReactNode } from "react";
import { Link } from "react-router";
import type { OtherRequest } from "#domain/evidence/shape";
import { dateTime } from "../../../../platform/format.ts";
import { EmailAddress } from "../../email-address.tsx";

/** Links to the requests that evidence names. */
export function OtherRequests({ requests }: { requests: readonly OtherRequest[] }): ReactNode {
  return (
    <ul className="grid text-small">
      {requests.map((request) => (
        <li key={request.payment_request_id}>
          <Link
            to={`/admin/payments/${request.payment_request_id}`}
            className="inline-flex min-h-11 flex-wrap items-center gap-x-2 rounded-control text-action underline-offset-4 hover:underline lg:min-h-8"
          >
            <span className="wrap-anywhere">
              <EmailAddress email={request.email} />
            </span>
            <span className="text-muted">
              {dateTime(request.created_at)}, {request.status}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
