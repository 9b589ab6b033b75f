import assert from 'node:assert/strict';
import { type ErrorCode, errors } from '@sortie/contract';
import { type Answer, type CallOptions, call } from './call.ts';

/** A browser's part in talking to the dashboard: it keeps cookies and sends the origin of its page. */
export interface Visitor {
  call(path: string, options?: CallOptions): Promise<Answer>;
  signUp(email: string, password?: string): Promise<Answer>;
  signIn(email: string, password?: string): Promise<Answer>;
  /** The value of the `Cookie` header. */
  cookie(): string;
}

export const PASSWORD = 'a password of the tests';

/** `origin` is that of its page, if a proxy is in front of the server. */
export function createVisitor(baseUrl: string, origin = baseUrl): Visitor {
  const cookies = new Map<string, string>();
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const visitor: Visitor = {
    cookie,
    async call(path, options = {}) {
      const headers = { origin, ...(cookies.size > 0 && { cookie: cookie() }), ...options.headers };
      const answer = await call(baseUrl + path, { ...options, headers });
      for (const line of answer.headers['set-cookie'] ?? []) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? assert.fail(line);
        if (/max-age=0/i.test(line)) cookies.delete(name);
        else cookies.set(name, value);
      }
      return answer;
    },
    signUp: (email, password = PASSWORD) =>
      visitor.call('/api/auth/sign-up/email', { method: 'POST', body: { name: 'Ada', email, password } }),
    signIn: (email, password = PASSWORD) =>
      visitor.call('/api/auth/sign-in/email', { method: 'POST', body: { email, password } }),
  };
  return visitor;
}

/** Asserts that the dashboard's API refuses with an error of the contract. */
export function assertRefusedInDashboard({ status, body, text }: Answer, code: ErrorCode): void {
  assert.deepEqual([body?.code, status], [code, errors[code].status], text);
}
