/** What the worker tells an engine about the network it may use. Operators set it, runs do not. */
export interface Network {
  /** `CIDR` or `CIDR:port`: exceptions from the rule that only public addresses are contacted. */
  allowAddresses: readonly string[];
  /** `address` or `address:port` of the name servers; empty for those of the system. */
  resolvers: readonly string[];
  /** Names the service and whom to tell about abuse. */
  userAgent: string;
  /** Certificates (PEM) of authorities that the operator trusts besides the public ones. */
  authorities?: string | undefined;
}
