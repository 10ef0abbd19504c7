/** Either an address in the one form that is stored, or what is wrong with it. */
export type CheckedAddress<Fault extends string> =
  | { address: string; fault?: undefined }
  | { fault: Fault; address?: undefined };
