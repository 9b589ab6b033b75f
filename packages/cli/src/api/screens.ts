/**
 * The screens of the dashboard where people fix what the API refused. The paths lead to the account that they used
 * last.
 */
const screens: Readonly<Record<string, string>> = {
  UNAUTHORIZED: 'settings/keys',
  INSUFFICIENT_CREDITS: 'credits',
  API_KEY_CAP_EXCEEDED: 'settings/keys',
  ORG_CREDIT_CAP_EXCEEDED: 'settings/members',
  TARGET_API_RUNS_DISABLED: 'settings/keys',
  TARGET_NOT_ASSIGNED: 'targets',
  PENTEST_CONCURRENCY_EXCEEDED: 'runs',
};

/** Returns the screen of the dashboard for an error code, or undefined. */
export function screenFor(code: string, baseUrl: string): string | undefined {
  const path = screens[code];
  return path === undefined ? undefined : new URL(`to/${path}`, withSlash(baseUrl)).href;
}

/** Returns the screen of a run or a scan, for example `runs/pen_1`. */
export const screenOf = (baseUrl: string, accountId: string, path: string): string =>
  new URL(`accounts/${encodeURIComponent(accountId)}/${path}`, withSlash(baseUrl)).href;

const withSlash = (address: string) => (address.endsWith('/') ? address : `${address}/`);
