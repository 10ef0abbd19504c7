import type { ReactNode } from "react";
import { MyRequests } from "./features/requests/my-requests.tsx";
import { StudentPage } from "./features/student/page.tsx";

/** The dashboard with what it shows of one's payments: features do not know each other. */
export function StudentRoute(): ReactNode {
  return <StudentPage Payments={MyRequests} />;
}
