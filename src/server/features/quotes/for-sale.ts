import type { ErrorCode } from "#domain/errors/messages";
import { includesPackage, type PackageType } from "#domain/packages";
import type { Connection } from "../../platform/db/database.ts";
import type { Principal } from "../../platform/http/access.ts";
import * as queries from "./queries.ts";

/** Returns why a student has nothing to pay for a package: `package_owned` or `payment_request_open` (PAY-9); undefined when they may buy it. */
export async function refusalToSell(
  connection: Connection,
  student: Principal,
  packageType: PackageType,
): Promise<ErrorCode | undefined> {
  if (includesPackage(student.subscription_status, packageType)) return "package_owned";
  return (await queries.existsOpenRequest(connection, student.id, packageType)) ? "payment_request_open" : undefined;
}
