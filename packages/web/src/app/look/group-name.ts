/** Groups whose names are not ordinary words. */
const names: Readonly<Record<string, string>> = {
  csp: 'CSP',
  tls: 'TLS',
  dns: 'DNS',
  ssrf: 'SSRF',
  graphql: 'GraphQL',
};

/** A group of checks as people write it: "CSP", "Headers". */
export const groupName = (group: string): string => names[group] ?? group.charAt(0).toUpperCase() + group.slice(1);
