import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { CapsuleContent } from '@sortie/contract';
import { answerKey, type Flaw } from '@sortie/range';
import { compare } from '../../../../bench/pentest-truth.ts';
import { type ReplayResult, replayCapsule } from '../../../engine/src/pentest/replay.ts';
import type { PentestFinding } from '../../../engine/src/protocol/finding.ts';
import { defaultCatalogue } from '../../../server/src/billing/catalogue.ts';
import { startTwinProxy, type TwinProxy } from '../targets/twin-proxy.ts';
import { pentestOrder } from './pentest-orders.ts';
import { asCustomers, type OpenRange, openRange, type RangeRun, runAt } from './range-runs.ts';

interface Replayed {
  accounts: readonly string[];
  /** How many confirmed findings must be told gone: the list of exceptions cannot grow at their cost. */
  leastGone: number;
}

/** Flaws that the proxy cannot exchange for their twins, by the reason. The test fails for one that it can. */
const NOT_EXCHANGED: Readonly<Record<string, readonly string[]>> = {
  'a missing callback proves nothing either way': [
    'entities-unseen',
    'request-from-inside',
    'request-from-inside-unseen',
    'page-from-elsewhere',
    'lookup-in-log',
    'command-in-silence',
  ],
  'the twin accepts only tokens of its own login': [
    'token-of-wallet',
    'token-of-gifts',
    'token-of-letters',
    'token-of-parcels',
    'token-of-badges',
    'token-of-seals',
    'token-of-tickets',
  ],
  'browsers do not send the fragment': [
    'fragment-as-markup',
    'fragment-as-program',
    'fragment-as-address',
    'fragment-as-template',
  ],
  'the flaw is of the whole site, and the twin is one page': [
    'no-content-security-policy',
    'no-nosniff',
    'session-cookie-without-samesite',
  ],
};
const exceptions = new Set(Object.values(NOT_EXCHANGED).flat());

const confirmedOf = ({ findings }: RangeRun) => findings.filter(({ confidence }) => confidence === 'CONFIRMED');

function flawOf(finding: PentestFinding): Flaw | undefined {
  // A run also finds flaws that only deeper levels look for.
  const [known] = compare([finding], answerKey, 'MAXIMUM').found;
  return answerKey.find(({ id }) => id === known?.id);
}

export interface Replays {
  /** The first run of the level STANDARD, at the range behind the proxy. */
  run(): Promise<RangeRun>;
  /** Describes the replay of every confirmed finding of the first of these runs, and of those that only LEAD has. */
  describe(runs: readonly RangeRun[]): void;
}

/** Replays findings at the whole range, behind a proxy that can exchange a flaw for its safe twin. */
export function createReplays({ accounts, leastGone }: Replayed): Replays {
  let opened: OpenRange;
  let proxy: TwinProxy;
  const customers = asCustomers(accounts);

  function runAtLevel(depth: 'LEAD' | 'STANDARD'): Promise<RangeRun> {
    const { maxRequests, maxMinutes } = defaultCatalogue.levels[depth];
    const budget = { requests: maxRequests, milliseconds: maxMinutes * 60_000 };
    return runAt(proxy.origin, opened, () => ({ ...customers, depth, budget }));
  }

  function replay(capsule: CapsuleContent): Promise<ReplayResult> {
    const order = { ...pentestOrder(proxy.origin), ...customers, runId: 'pen_range' };
    return replayCapsule({ ...order, capsule, outside: opened.listener.order, heard: opened.listener.ask });
  }

  async function assertShownAgain(findings: readonly PentestFinding[]): Promise<void> {
    const failed: string[] = [];
    for (const { title, capsule } of findings) {
      const { outcome, reason } = capsule ? await replay(capsule) : { outcome: 'NONE', reason: '' };
      if (outcome !== 'STILL_THERE') failed.push(`${title}: ${outcome} ${reason}`);
    }
    assert.deepEqual(failed, []);
  }

  return {
    async run() {
      opened = await openRange();
      proxy = await startTwinProxy(opened.range);
      return runAtLevel('STANDARD');
    },
    describe(runs) {
      const confirmed = () => confirmedOf(runs[0] ?? assert.fail('no run has ended'));
      describe('the capsules of the first run', () => {
        after(async () => {
          await proxy?.close();
          await opened?.close();
        });

        it('show every confirmed finding again', async () => {
          assert.ok(confirmed().length > 100, `${confirmed().length} findings`);
          await assertShownAgain(confirmed());
        });

        it('include those of the level LEAD, or those show the finding again as well', async (test) => {
          const known = new Set(confirmed().map(({ fingerprint }) => fingerprint));
          const ofLead = confirmedOf(await runAtLevel('LEAD'));
          assert.ok(ofLead.length > 40, `${ofLead.length} findings`);
          const others = ofLead.filter(({ fingerprint }) => !known.has(fingerprint));
          test.diagnostic(`${others.length} of ${ofLead.length} findings of LEAD are not among those of STANDARD`);
          await assertShownAgain(others);
        });

        it('tell that a finding is gone once its safe twin is in its place', async (test) => {
          const failed: string[] = [];
          let gone = 0;
          for (const finding of confirmed()) {
            const flaw = flawOf(finding);
            if (!flaw || !finding.capsule) {
              failed.push(`${finding.title}: ${flaw ? 'no capsule' : 'no flaw of the answer key'}`);
              continue;
            }
            proxy.repair(flaw);
            const { outcome, reason } = await replay(finding.capsule);
            proxy.repair(undefined);
            const isException = exceptions.has(flaw.id);
            if (outcome === 'GONE') gone++;
            if ((outcome === 'GONE') === isException) failed.push(`${flaw.id} ${finding.title}: ${outcome} ${reason}`);
          }
          test.diagnostic(`${gone} of ${confirmed().length} confirmed findings are gone with their twins in place`);
          assert.deepEqual(failed, []);
          assert.ok(gone >= leastGone, `${gone} findings`);
        });

        it('tell nothing about a target that is down', async () => {
          await proxy.close();
          const [finding] = confirmed();
          assert.equal(finding?.capsule && (await replay(finding.capsule)).outcome, 'VOID');
        });
      });
    },
  };
}
