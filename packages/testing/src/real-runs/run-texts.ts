import { printPdf } from '@sortie/engine';
import { formats, type PentestReport, reportOfPentest } from '../../../report/src/index.ts';
import { CHROMIUM } from '../engine/chromium.ts';
import type { Answer } from '../http/call.ts';
import { waitFor } from '../server/up.ts';
import { findingOf, findingsOf, get, type Starter } from '../world/pentests.ts';
import type { Run } from '../world/runs.ts';
import { cancel } from '../world/starts.ts';
import type { World } from '../world/world.ts';
import { rowsOf } from './real-run.ts';

const asAnswer = (told: unknown): Answer => ({ status: 200, headers: {}, text: JSON.stringify(told), body: undefined });

/** Resolves to everything that the API answers about a run to its owner, and what it shows the operator. */
export async function askAll({ server: { baseUrl }, admin }: World, { id, starter }: Run): Promise<Answer[]> {
  const ask = (caller: Starter, place: string) => get(baseUrl, caller, place);
  const answers: Answer[] = [];
  for (const place of ['', '/summary', '/findings']) answers.push(await ask(starter, `/v1/pentests/${id}${place}`));
  const { findings } = await findingsOf(baseUrl, starter, id, { limit: '100' });
  for (const finding of findings) answers.push(asAnswer(await findingOf(baseUrl, starter, id, finding.id)));
  for (const place of ['/v1/pentests', '/v1/credits/balance', '/v1/credits/usage'])
    answers.push(await ask(starter, place));
  answers.push(await cancel(baseUrl, starter, id));
  const told = [await admin.run.show({ run: id }), await admin.run.statement({ run: id })];
  const checks = await admin.target.checks({ id: starter.target.verificationId });
  return [...answers, asAnswer([told, checks])];
}

/** Resolves to the report of a run with its evidence, in every format. */
export async function writeReports({ server: { baseUrl } }: World, { id, starter }: Run) {
  const read = async (place: string) => JSON.parse((await get(baseUrl, starter, `/v1/pentests/${id}${place}`)).text);
  const { findings } = await findingsOf(baseUrl, starter, id, { limit: '100' });
  const proved = await Promise.all(findings.map((finding) => findingOf(baseUrl, starter, id, finding.id)));
  const { summary, untested, coverage } = await read('/summary');
  const told = { toolVersion: '0.0.0', summary, untested, coverage };
  const report = reportOfPentest(await read(''), proved as PentestReport['findings'], told);
  const { pdf } = await printPdf(formats.html.render(report), CHROMIUM);
  return { texts: Object.values(formats).map(({ render }) => render(report)), pdf };
}

/** Enough for checks of several kinds. */
const RETESTED = 6;

/** Has the service retest findings of the run, and resolves to the outcomes. The tables then hold what it says. */
export async function retestSome(world: World, { id, starter: { accountId, userId } }: Run): Promise<string[]> {
  const retest = `ret_of_${id}`;
  await rowsOf(
    world,
    `with asked as (
       insert into retest (id, account_id, target_id, pentest_id, user_id)
       select $1, $2, target_id, id, $3 from pentest where id = $4)
     insert into retest_finding (retest_id, position, finding_id)
     select $1, row_number() over (order by found.id), found.id from pentest_finding as found
       join capsule using (pentest_id, fingerprint)
      where pentest_id = $4 and confidence = 'CONFIRMED' limit ${RETESTED}`,
    [retest, accountId, userId, id],
  );
  const read = () =>
    rowsOf<{ outcome: string | null; reason: string }>(
      world,
      'select outcome, reason from retest_finding where retest_id = $1',
      [retest],
    );
  const isOver = async () => (await read()).every(({ outcome }) => outcome !== null);
  await waitFor(isOver, { what: 'the end of the retest', withinMs: 300_000 });
  return (await read()).map(({ outcome, reason }) => `${outcome} ${reason}`);
}
