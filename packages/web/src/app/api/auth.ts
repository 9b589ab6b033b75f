import { send } from './call.ts';

/** Changes under way. Some replace the session, and requests sent meanwhile with the former one are refused. */
const changes = new Set<Promise<unknown>>();

export const whenAuthChangesEnd = (): Promise<unknown> => Promise.allSettled(changes);

/** Calls an endpoint of the sign-in, for example `sign-in/email`. */
export function callAuth<Answer = unknown>(name: string, body?: object): Promise<Answer> {
  const address = `/api/auth/${name}`;
  if (body === undefined) return send(address, { method: 'GET' }) as Promise<Answer>;
  const headers = { 'content-type': 'application/json' };
  const sent = send(address, { method: 'POST', body: JSON.stringify(body), headers });
  const change = sent.finally(() => changes.delete(change)).catch(() => undefined);
  changes.add(change);
  return sent as Promise<Answer>;
}
