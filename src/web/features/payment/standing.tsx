import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { packages, type PackageType } from "#domain/packages";
import { api } from "../../platform/api.ts";
import { day } from "../../platform/format.ts";
import { readAll } from "../../platform/pages.ts";
import { queryKeys } from "../../platform/query-client.ts";
import { useMe } from "../../platform/session.tsx";
import { Banner } from "../../ui/banner.tsx";

/** Warns whoever is about to pay for something they have or have already asked for. */
export function Standing({ packageType }: { packageType: PackageType }): ReactNode {
  const me = useMe();
  const requests = useQuery({
    queryKey: queryKeys.myRequests,
    queryFn: () => readAll((cursor) => api.paymentRequests.mine({ limit: 100, cursor })),
  });
  const open = requests.data?.find(({ status, package_type }) => status === "pending" && package_type === packageType);
  const { name } = packages[packageType];
  if (open) {
    return (
      <Banner tone="caution" title="Please do not pay twice">
        Your request of {day(open.created_at)} for the {name} package is still being checked.
      </Banner>
    );
  }
  if (me.subscription_status === packageType || me.subscription_status === "advanced") {
    return (
      <Banner title={`You already have the ${packages[me.subscription_status].name} package`}>
        There is no need to buy {name}: everything in it is open to you.
      </Banner>
    );
  }
  return null;
}
