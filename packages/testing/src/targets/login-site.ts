import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../../engine/src/http/limits/clock.ts';
import { createRedactor } from '../../../engine/src/http/record/redactor.ts';
import type { LoginTools } from '../../../engine/src/login/enter.ts';
import { logIn } from '../../../engine/src/login/log-in.ts';
import { createKnownTokens } from '../../../engine/src/login/session/known-tokens.ts';
import { createSession } from '../../../engine/src/login/session/session.ts';
import { createOneTimeCodes } from '../../../engine/src/login/session/totp.ts';
import type { EngineCredential } from '../../../engine/src/protocol/messages.ts';
import { createTestScope } from '../../../engine/src/target/scope.ts';
import { testSender } from '../engine/test-sender.ts';
import { startWebServer, type TargetServer } from './target-servers.ts';

export interface Seen {
  path: string;
  method: string;
  /** The body as text, and parsed as a form. */
  text: string;
  body: URLSearchParams;
  cookie: string;
  headers: IncomingHttpHeaders;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string | string[]>;
  body?: string;
  /** Closes the connection without a response. */
  hangsUp?: boolean;
}

export type Site = (seen: Seen) => Reply;

export const account: EngineCredential = {
  name: 'alice',
  kind: 'FORM_LOGIN',
  mode: 'auto',
  location: 'header',
  user: 'alice@shop.test',
  pass: 'right-password',
  totpSecret: null,
  instructions: null,
  tokenUrl: null,
  scope: null,
  audience: null,
};

/** A clock that advances only by sleeping, and begins at the start of a 30-second TOTP period. */
export function standingClock(start = 1_800_000_000_000): Clock & { pass(milliseconds: number): void } {
  let now = start;
  return {
    now: () => now,
    elapsed: () => now,
    pass: (milliseconds) => {
      now += milliseconds;
    },
    async sleep(milliseconds) {
      now += milliseconds;
    },
  };
}

export const json = (value: unknown, status = 200, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(value),
});

/** Servers and senders of one test file; call `closeAll` after each test. */
export function createLoginSites() {
  const opened: { close(): Promise<void> }[] = [];

  async function start(answer: Site): Promise<{ server: TargetServer; seen: Seen[] }> {
    const seen: Seen[] = [];
    const server = await startWebServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      const { url = '', method = '', headers } = request;
      const body = new URLSearchParams(text);
      const one: Seen = { path: url, method, text, body, cookie: headers.cookie ?? '', headers };
      seen.push(one);
      const { status = 200, headers: answered, body: page = '', hangsUp = false } = answer(one);
      if (hangsUp) return void request.socket.destroy();
      response.writeHead(status, { 'Content-Type': 'text/html', ...answered }).end(page);
    });
    opened.push(server);
    return { server, seen };
  }

  function toolsFor(server: TargetServer, path = '/', changes: Partial<LoginTools> = {}, tokenUrls: string[] = []) {
    const scope = createTestScope({ coveredName: null, coveredOrigin: server.url, excludedPaths: [], tokenUrls });
    const sender = testSender({ scope });
    opened.push(sender);
    const redactor = createRedactor();
    const clock = standingClock();
    const knownTokens = createKnownTokens();
    const tools: LoginTools = {
      sender,
      scope,
      redactor,
      visitor: createSession({ sender, scope, redactor, name: null, knownTokens }),
      knownTokens,
      targetUrl: server.url + path,
      openBrowser: async () => undefined,
      browserProblem: () => 'missing',
      codes: createOneTimeCodes(changes.clock ?? clock),
      clock,
      ...changes,
    };
    return { tools, redactor, sender, scope };
  }

  async function attempt(
    answer: Site,
    changes: Partial<EngineCredential> = {},
    path = '/',
    tools: Partial<LoginTools> = {},
  ) {
    const { server, seen } = await start(answer);
    const { tools: all, redactor } = toolsFor(server, path, tools, changes.tokenUrl ? [changes.tokenUrl] : []);
    const result = await logIn({ ...account, ...changes }, all);
    const posts = seen.filter(({ method }) => method === 'POST');
    const failure = 'reason' in result ? result : undefined;
    return { result, posts, seen, server, redactor, tools: all, code: failure?.code, reason: failure?.reason };
  }

  return {
    start,
    toolsFor,
    attempt,
    opened,
    async closeAll() {
      for (const each of opened.splice(0)) await each.close();
    },
  };
}
