import assert from 'node:assert/strict';
import { openCredentials } from '../../../server/src/credentials/credentials.ts';
import { checkInvariants, readAccountBalance } from '../../../server/src/credits/credits.ts';
import type { Database } from '../../../server/src/db/database.ts';
import type { VaultKeys } from '../../../server/src/secrets/service-secrets.ts';
import type { TestDatabase } from '../database/database.ts';
import type { Figures } from './delivery.ts';
import { type Claim, findLosses, type Losses, type Remains, type Run, readRemains } from './remains.ts';
import { loadTestSecrets } from './secrets.ts';
import type { StartingAccount, WantedStart } from './starts.ts';

interface Tested {
  seed: number;
  startedAt: number;
  starts: readonly WantedStart[];
  accounts: readonly StartingAccount[];
  figures: Figures;
}

/** Prints the figures, then asserts that every start took effect exactly once, completely, and is in the queue. */
export async function judgeStarts({ database, url }: TestDatabase, tested: Tested): Promise<void> {
  const { starts, accounts, figures } = tested;
  const remains = await readRemains(database);
  const losses = findLosses(remains, starts);
  console.log(describeFigures(tested, losses));
  assertNone(figures.wrong, 'answers that no start may give');
  assertEachOnce(remains, starts, losses);
  await assertCredits(database, remains, starts, accounts);
  await assertCredentials(database, remains, starts, (await loadTestSecrets(url)).vaultKeys);
}

function describeFigures(
  { seed, startedAt, starts, figures }: Tested,
  { acknowledged, lost, duplicated }: Losses,
): string {
  return [
    `seed ${seed}`,
    `${Math.round((performance.now() - startedAt) / 1000)} s`,
    `keys ${starts.length}`,
    `requests ${figures.requests}`,
    `kills in flight ${figures.killsInFlight}`,
    `other kills ${figures.otherKills}`,
    `pauses ${figures.pauses}`,
    `fenced zombies ${figures.zombies}`,
    `acknowledged ${acknowledged.length}`,
    `lost ${lost.length}`,
    `duplicated ${duplicated.length}`,
  ].join(', ');
}

/** Shows only the first few items. */
function assertNone(list: readonly unknown[], what: string): void {
  assert.deepEqual(list.slice(0, 5), [], `${list.length} ${what}`);
}

/** Returns the symmetric difference. */
function differences<T>(left: readonly T[], right: readonly T[]): T[] {
  const [inLeft, inRight] = [new Set(left), new Set(right)];
  return [...left.filter((each) => !inRight.has(each)), ...right.filter((each) => !inLeft.has(each))];
}

function assertEachOnce(remains: Remains, starts: readonly WantedStart[], losses: Losses): void {
  const { runs, claims } = remains;
  const keys = ({ idempotencyKey }: WantedStart) => idempotencyKey;
  assertNone(losses.lost.map(keys), 'starts were lost');
  assertNone(losses.duplicated.map(keys), 'starts happened twice');
  assertNone(starts.filter(({ answers }) => answers.length === 0).map(keys), 'starts were never acknowledged');
  assert.equal(runs.length, starts.length, 'as many runs as keys');
  assert.equal(runs.filter(({ isHandedOver }) => isHandedOver).length, starts.length, 'as many in the queue as keys');
  for (const path of ['/v1/pentests', '/v1/scans']) {
    const wanted = starts.filter((start) => start.path === path).length;
    assert.equal(runs.filter((run) => run.path === path).length, wanted, path);
  }
  assertNone(
    runs.filter(({ status, path }) => status !== (path === '/v1/scans' ? 'STARTED' : 'QUEUED')),
    'runs are not waiting in the queue',
  );
  assertClaims(claims, runs, starts);
}

function assertClaims(claims: readonly Claim[], runs: readonly Run[], starts: readonly WantedStart[]): void {
  assert.equal(claims.length, starts.length, 'as many claims as keys');
  assertNone(
    claims.filter(({ state }) => state !== 'DONE'),
    'claims are not done',
  );
  const runByUrl = new Map(runs.map((run) => [run.url, run]));
  const claimByKey = new Map(claims.map((claim) => [`${claim.accountId} ${claim.idempotencyKey}`, claim]));
  const wrong = starts.filter((start) => {
    const claim = claimByKey.get(`${start.account.accountId} ${start.idempotencyKey}`);
    const run = runByUrl.get(start.url);
    if (!claim || !run || start.path !== run.path || start.account.accountId !== run.accountId) return true;
    return claim.runId !== run.id || start.answers.some(({ text }) => text !== claim.answer || !text.includes(run.id));
  });
  assertNone(
    wrong.map(({ idempotencyKey }) => idempotencyKey),
    'keys do not lead to their run and their answer',
  );
}

/** Asserts that the held credits are the price of every pentest, once. */
async function assertCredits(
  { queries }: Database,
  { runs, holds }: Remains,
  starts: readonly WantedStart[],
  accounts: readonly StartingAccount[],
): Promise<void> {
  const price = new Map(starts.map((start) => [start.url, start.price]));
  const expected = runs.flatMap(({ id, accountId, path, url }) =>
    path === '/v1/pentests' ? [`${id} of ${accountId} RESERVED ${price.get(url)}`] : [],
  );
  const held = holds.map(({ runId, accountId, state, reserved }) => `${runId} of ${accountId} ${state} ${reserved}`);
  assert.equal(held.length, expected.length, 'one hold for each pentest');
  assertNone(differences(held, expected), 'holds are not those of the runs');
  assertNone(await checkInvariants(queries), 'violations of the ledger');
  for (const { accountId, granted } of accounts) {
    const ofAccount = starts.filter(({ account }) => account.accountId === accountId);
    const sum = ofAccount.reduce((total, start) => total + start.price, 0);
    const balance = await readAccountBalance(queries, accountId);
    assert.deepEqual([balance.held, balance.available], [sum, granted - sum], `held and available of ${accountId}`);
  }
}

/** Asserts that exactly the runs sent with test accounts have them, and that they decrypt to what was sent. */
async function assertCredentials(
  { queries }: Database,
  { runs, sealed }: Remains,
  starts: readonly WantedStart[],
  vaultKeys: VaultKeys,
): Promise<void> {
  const runByUrl = new Map(runs.map((run) => [run.url, run.id]));
  const sent = starts.filter(({ credentials }) => credentials.length > 0);
  const expected = sent.map(({ url }) => runByUrl.get(url));
  assert.equal(sealed.length, sent.length, 'as many runs with test accounts as were sent with some');
  assertNone(differences(sealed, expected), 'runs have test accounts and should not, or the other way round');
  for (const { url, account, credentials } of sent) {
    const opened = await openCredentials(queries, vaultKeys, {
      accountId: account.accountId,
      runId: runByUrl.get(url) ?? '',
    });
    assert.deepEqual(
      opened.map(({ name, user, pass }) => ({ name, user: user.reveal(), pass: pass.reveal() })),
      credentials,
    );
  }
}
