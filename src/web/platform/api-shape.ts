import type { ContractRouterClient } from "@orpc/contract";
import type { JsonifiedClient } from "@orpc/openapi-client";
import type { Contract } from "#domain/api/contract";

/** The contract as the browser calls it. */
export type Api = JsonifiedClient<ContractRouterClient<Contract>>;
