import type { ReactNode } from "react";
import { useMyRequests } from "../../entities/payment-request/queries.ts";
import { useTitle } from "../../platform/site.ts";
import { Dashboard } from "./dashboard.tsx";
import { MyRequests } from "./my-requests.tsx";

/** The student's own dashboard. */
export function StudentPage(): ReactNode {
  const { data: requests, error } = useMyRequests();
  useTitle("My course");
  return <Dashboard requests={requests} hasRequestsError={error !== null} myRequests={<MyRequests />} />;
}
