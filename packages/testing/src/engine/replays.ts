import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { CapsuleContent } from '@sortie/contract';
import { answerKey, type Flaw } from '@sortie/range';
import { compare } from '../../../../bench/pentest-truth.ts';
import { type ReplayResult, replayCapsule } from '../../../engine/src/pentest/replay.ts';
import { defaultCatalogue } from '../../../server/src/billing/catalogue.ts';
import { startTwinProxy, type TwinProxy } from '../targets/twin-proxy.ts';
import { pentestOrder } from './pentest-orders.ts';
import { asCustomers, type OpenRange, openRange, type RangeRun, runAt } from './range-runs.ts';

interface Replays {
  depth: 'LEAD' | 'STANDARD';
  accounts: readonly string[];
}

/**
 * Whether the proxy can put the twin in place of the flaw. It sees neither fragments and messages nor the fields of a
 * GraphQL document, and the twin of a token has tokens of its own; flaws of a whole site have no other place. A missing
 * callback proves nothing either way.
 */
function isExchangeable({ location, needs, id, path, safePath, method }: Flaw): boolean {
  if (['graphql', 'fragment', 'message'].includes(location) || needs === 'listener') return false;
  const isOfSite = location === 'none' && /^\/(?:graphql)?$/.test(path);
  return !id.startsWith('token-of-') && safePath !== path && method !== 'TRACE' && !isOfSite;
}

/** Describes the replay of every confirmed finding of one run against the whole range. */
export function describeReplays({ depth, accounts }: Replays): void {
  describe(`the capsules of a run of the level ${depth} at the whole range`, () => {
    let opened: OpenRange;
    let proxy: TwinProxy;
    let run: RangeRun;
    const customers = asCustomers(accounts);

    before(async () => {
      opened = await openRange();
      proxy = await startTwinProxy(opened.range);
      const { maxRequests, maxMinutes } = defaultCatalogue.levels[depth];
      const budget = { requests: maxRequests, milliseconds: maxMinutes * 60_000 };
      run = await runAt(proxy.origin, opened, () => ({ ...customers, depth, budget }));
    });
    after(async () => {
      await proxy.close();
      await opened.close();
    });

    function replay(capsule: CapsuleContent): Promise<ReplayResult> {
      const order = { ...pentestOrder(proxy.origin), ...customers, runId: 'pen_range' };
      return replayCapsule({ ...order, capsule, outside: opened.listener.order, heard: opened.listener.ask });
    }

    const confirmed = () => run.findings.filter(({ confidence }) => confidence === 'CONFIRMED');

    it('show every confirmed finding again', async () => {
      assert.ok(confirmed().length > 40, `${confirmed().length} findings`);
      const failed: string[] = [];
      for (const { title, capsule } of confirmed()) {
        const { outcome, reason } = capsule ? await replay(capsule) : { outcome: 'NONE', reason: '' };
        if (outcome !== 'STILL_THERE') failed.push(`${title}: ${outcome} ${reason}`);
      }
      assert.deepEqual(failed, []);
    });

    it('tell that a finding is gone once its safe twin is in its place', async (test) => {
      const failed: string[] = [];
      let gone = 0;
      for (const finding of confirmed()) {
        const [known] = compare([finding], answerKey, depth).found;
        const flaw = answerKey.find(({ id, path }) => id === known?.id && finding.affectedUrl?.includes(path));
        if (!flaw || !finding.capsule || !isExchangeable(flaw)) continue;
        proxy.repair(flaw);
        const { outcome, reason } = await replay(finding.capsule);
        proxy.repair(undefined);
        if (outcome === 'GONE') gone++;
        else failed.push(`${flaw.id} ${finding.title}: ${outcome} ${reason}`);
      }
      test.diagnostic(`${gone} of ${confirmed().length} confirmed findings were exchanged for their twins`);
      assert.deepEqual(failed, []);
      assert.ok(gone > 30, `${gone} findings`);
    });

    it('tell nothing about a target that is down', async () => {
      await proxy.close();
      const [finding] = confirmed();
      assert.equal(finding?.capsule && (await replay(finding.capsule)).outcome, 'VOID');
    });
  });
}
