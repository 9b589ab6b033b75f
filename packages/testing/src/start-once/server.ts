import assert from 'node:assert/strict';
import { endpoints } from '@sortie/contract';
import { overtaken } from '../../../server/src/starts/overtaken.ts';
import { assertRefused } from '../http/assert-answer.ts';
import type { Answer } from '../http/call.ts';
import type { TestServer } from '../server/server.ts';
import { start } from '../world/starts.ts';
import type { Attempt, NodeEvents, StartNode } from './fleet.ts';
import type { WantedStart } from './starts.ts';

/** Returns a real server as a node that starts runs over HTTP. */
export function toStartNode(server: TestServer, { onChange, onCrash }: NodeEvents): StartNode {
  const underWay = new Set<Promise<Attempt>>();
  let isKilled = false;
  server.child.once('exit', (code) => {
    if (!isKilled) onCrash(`exit code ${code}: ${server.log()}`);
  });

  async function attempt({ path, account, body, idempotencyKey }: WantedStart): Promise<Attempt> {
    try {
      return judge(await start(server.baseUrl, path, account, body, { idempotencyKey }), path);
    } catch (error) {
      // Connections must break only when the server is killed.
      return isKilled ? { outcome: 'broken' } : { outcome: 'wrong', what: String(error) };
    }
  }

  return {
    child: server.child,
    inFlight: () => underWay.size,
    send(wanted) {
      const sent = attempt(wanted).finally(() => {
        underWay.delete(sent);
        onChange();
      });
      underWay.add(sent);
      onChange();
      return sent;
    },
    async kill() {
      isKilled = true;
      const interrupted = [...underWay];
      await server.stop('SIGKILL');
      const attempts = await Promise.all(interrupted);
      return attempts.some(({ outcome }) => outcome === 'broken');
    },
  };
}

const OVERTAKEN = overtaken().message;

/** Throws if the response does not match the contract. */
function judge(answer: Answer, path: WantedStart['path']): Attempt {
  const { status, headers, text, body } = answer;
  if (status === 201) {
    const { schema } = path === '/v1/scans' ? endpoints.startScan.answer : endpoints.startPentest.answer;
    assert.deepEqual(body, schema.parse(body));
    const replayed = headers['idempotent-replayed'];
    assert.ok(replayed === undefined || replayed === 'true', String(replayed));
    return { outcome: 'started', text, isReplay: replayed === 'true' };
  }
  if (status === 409) {
    assertRefused(answer, 'IDEMPOTENCY_IN_PROGRESS');
    assert.match(String(headers['retry-after']), /^[1-9]\d*$/);
    return { outcome: 'in progress', isOvertaken: body?.message === OVERTAKEN };
  }
  assertRefused(answer, 'INTERNAL_ERROR');
  return { outcome: 'failed' };
}
