import { send } from './call.ts';

/** Calls an endpoint of the sign-in, for example `sign-in/email`. */
export function callAuth<Answer = unknown>(name: string, body?: object): Promise<Answer> {
  return send(`/api/auth/${name}`, {
    method: body === undefined ? 'GET' : 'POST',
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  }) as Promise<Answer>;
}
