/** Network settings of an engine. Set by the operator, not by runs. */
export interface Network {
  /** `CIDR` or `CIDR:port`: exceptions to the rule that only public addresses are contacted. */
  allowAddresses: readonly string[];
  /** `address` or `address:port` of the name servers; empty for those of the system. */
  resolvers: readonly string[];
  /** Names the service and its abuse contact. */
  userAgent: string;
  /** Certificates (PEM) of authorities that the operator trusts in addition to the public ones. */
  authorities?: string | undefined;
}
