import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { callService, requireSuccess } from '../../api/call-service.ts';
import { exitCodes, explain } from '../../api/explain-failure.ts';
import { shown } from '../../terminal/text.ts';

interface Waiting {
  baseUrl: string;
  /** Writes a line for the person even with --quiet, because nobody can approve the login without the code. */
  tell(line: string): void;
}

const DOING = 'The login failed';

/**
 * Asks for approval in the browser, and resolves to the granted API key. Does not open the page, because the person may
 * use another machine.
 */
export async function fetchKey({ baseUrl, tell }: Waiting): Promise<string> {
  const name = `sortie on ${
    hostname()
      .replace(/[^\x20-\x7e]/g, '')
      .slice(0, 100) || 'a machine'
  }`;
  const started = requireSuccess(await callService(baseUrl, '/api/device-logins', { name }, DOING), DOING);
  const { deviceCode, userCode, verificationUrl } = started;
  const seconds = { interval: Number(started.intervalSeconds) || 5, left: Number(started.expiresInSeconds) || 600 };
  tell(`Open ${shown(String(verificationUrl))} in a browser and enter the code ${shown(String(userCode))}`);
  tell(`Waiting for the approval, for ${Math.round(seconds.left / 60)} minutes. Ctrl-C cancels.`);
  const endsAt = performance.now() + seconds.left * 1_000;
  let pause = seconds.interval;
  while (performance.now() < endsAt) {
    await sleep(pause * 1_000);
    const answer = await callService(baseUrl, '/api/device-logins/poll', { deviceCode }, DOING);
    pause = answer.retryAfterSeconds ?? seconds.interval;
    if (answer.status === 429 || answer.status >= 500) continue;
    const { state, key } = requireSuccess(answer, DOING);
    if (state === 'APPROVED' && typeof key === 'string') return key;
    if (state === 'SLOW_DOWN') seconds.interval += 1;
    if (state === 'DENIED') throw refused('DENIED', 'the request was denied in the browser');
    if (state === 'EXPIRED') break;
  }
  throw refused('EXPIRED', 'the request was not approved in time');
}

const refused = (code: string, why: string) =>
  explain({
    doing: DOING,
    why,
    hint: 'Run "npx sortie login" again and approve the code in the browser.',
    code,
    exitCode: exitCodes.noKey,
  });
