import type { ReactNode } from "react";
import { occurrencesOptions } from "../../entities/live-session/queries.ts";
import { newsOptions } from "../../entities/news/queries.ts";
import { myRequestsOptions, useMyRequests } from "../../entities/payment-request/queries.ts";
import { readEarly } from "../../entities/session/early-reads.ts";
import { videosOptions } from "../../entities/video/queries.ts";
import { useTitle } from "../../platform/site.ts";
import { Dashboard } from "./dashboard.tsx";
import { MyRequests } from "./my-requests.tsx";

export { StudentLoading } from "./frame.tsx";

/** Does not wait: the page displays what is read when it is there. */
export function loader(): null {
  void readEarly((client) => [
    client.query(videosOptions),
    client.query(myRequestsOptions),
    client.infiniteQuery(newsOptions),
    client.query(occurrencesOptions("coming")),
    client.query(occurrencesOptions("recorded")),
  ]);
  return null;
}

/** The student's own dashboard. */
export function StudentPage(): ReactNode {
  const { data: requests, error } = useMyRequests();
  useTitle("My course");
  return <Dashboard requests={requests} hasRequestsError={error !== null} myRequests={<MyRequests />} />;
}
