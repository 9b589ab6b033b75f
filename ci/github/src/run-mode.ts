import {
  type Client,
  countingFindings,
  isKnown,
  type Judgement,
  type PentestFinding,
  type Policy,
} from '../../../packages/sdk/src/index.ts';
import { type Facts, idempotencyKeyOf, secondKeyOf } from './facts.ts';
import type { Inputs } from './inputs.ts';
import { countText, type Outcome, outcomeOf } from './outcome.ts';

interface Hands {
  client: Client;
  inputs: Inputs;
  facts: Facts;
  toolVersion: string;
  log(line: string): void;
}

async function startPentest({ client, inputs, facts, log }: Hands) {
  const { target: targetUrl, verificationId, depth, apiDescription } = inputs;
  const body = { targetUrl, verificationId, depth, ...(apiDescription !== undefined && { apiDescription }) };
  const start = async (idempotencyKey: string) => {
    const { data, replayed } = await client.pentests.start(body, { idempotencyKey });
    log(`${replayed ? 'Re-attached to' : 'Started'} pentest ${data.id} (${data.status})`);
    return data;
  };
  const key = idempotencyKeyOf(inputs, facts);
  const first = await start(key);
  // The key of a run that failed is used up: with it, a job would re-attach to that run for the rest of the day.
  return first.status === 'FAILED' ? start(secondKeyOf(key)) : first;
}

type Baseline = Policy['baseline'];

const readBaseline = async ({ client, inputs }: Hands): Promise<Baseline> => {
  const { mode, baselineRun, runId, target: targetUrl } = inputs;
  const judged = mode === 'gate' ? { id: runId } : { targetUrl };
  return baselineRun === '' ? undefined : client.readBaseline(baselineRun, { judged });
};

async function judgePentest(hands: Hands, id: string, baseline: Baseline): Promise<Outcome> {
  const { client, inputs, toolVersion, log } = hands;
  const { failOn, minConfidence, acceptUntested, newOnly, maxWaitMs } = inputs;
  const policy = { failOn, minConfidence, acceptUntested, newOnly, baseline };
  let last = '';
  const judgement = await client.waitForJudgement(id, {
    maxWaitMs,
    policy,
    onProgress({ pentest: { status } }) {
      if (status !== last) log(`Pentest ${id}: ${status}`);
      last = status;
    },
  });
  return outcomeOf(await withEvidence(hands, judgement), inputs, toolVersion, knownOf(judgement, policy));
}

/** Reads the evidence for the files that show it; the summary and the comment do not. */
async function withEvidence({ client, inputs, log }: Hands, judgement: Judgement): Promise<Judgement> {
  if (!('policy' in judgement) || (inputs.sarif === '' && inputs.junit === '')) return judgement;
  const { findings, missing } = await client.readProofs(judgement.pentest.id, judgement.findings);
  if (missing > 0) log(`The evidence of ${countText(missing)} could not be read: the files are written without it.`);
  return { ...judgement, findings };
}

/** Returns the findings that would count if they were not known. */
function knownOf(judgement: Judgement, { baseline, newOnly, ...strict }: Policy<PentestFinding>): PentestFinding[] {
  if (!('policy' in judgement)) return [];
  return countingFindings(judgement.findings, strict).filter((finding) => isKnown(finding, { baseline, newOnly }));
}

async function scan({ client, inputs, facts, toolVersion, log }: Hands): Promise<Outcome> {
  const { target: url, failOn, minConfidence, maxWaitMs } = inputs;
  const { data } = await client.scans.start({ url }, { idempotencyKey: idempotencyKeyOf(inputs, facts) });
  log(`Started scan ${data.id}`);
  const judgement = await client.waitForScan(data.id, { maxWaitMs, policy: { failOn, minConfidence } });
  return outcomeOf(judgement, inputs, toolVersion);
}

export async function runMode(hands: Hands): Promise<Outcome> {
  const { mode, runId } = hands.inputs;
  if (mode === 'scan') return scan(hands);
  // Before a start, so that a wrong baseline costs nothing.
  const baseline = mode === 'start' ? undefined : await readBaseline(hands);
  if (mode === 'gate') return judgePentest(hands, runId, baseline);
  const { id, status } = await startPentest(hands);
  if (mode === 'start-and-gate') return judgePentest(hands, id, baseline);
  if (status === 'FAILED') {
    const message = `Pentest ${id} failed, like the first attempt. To start another one, set a new idempotency-key.`;
    return { exitCode: 3, message, runId: id, status };
  }
  return {
    exitCode: 0,
    message: `Pentest ${id} started. Judge it later with mode gate and this run id.`,
    runId: id,
    status,
  };
}
