/** Made by scripts/contract-routes.mjs when the web app is built. */
declare module "virtual:contract-routes" {
  /** The method and path of each call, in the shape of the contract. */
  export const contract: import("@orpc/contract").AnyContractRouter;
}
