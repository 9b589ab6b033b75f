import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Confidence, Severity } from '@sortie/contract';
import { type Answer, call } from '../http/call.ts';
import { createTarget, manyRequests, start } from './starts.ts';
import type { Member, World } from './world.ts';

/** An API-only node: no worker changes the scans. */
export const scanWorld = { env: manyRequests, flags: ['--no-demo', '--role', 'api'] };

/** Returns common operations of scan tests. */
export function createScanning(world: () => World) {
  const startScan = (member: Member, url: unknown, idempotencyKey: string = randomUUID()) =>
    start(world().server.baseUrl, '/v1/scans', member, { url }, { idempotencyKey });

  const get = (path: string, { apiKey }: Member) => call(world().server.baseUrl + path, { key: apiKey });

  return {
    startScan,
    get,

    /** Starts a new scan and resolves to its id. */
    async started(member: Member, url: unknown = 'https://www.example.com/'): Promise<string> {
      const answer = await startScan(member, url);
      assert.ok(!isReplay(answer));
      return readStarted(answer).id;
    },

    async readScan(member: Member, id: string): Promise<Record<string, unknown>> {
      const answer = await get(`/v1/scans/${id}`, member);
      assert.equal(answer.status, 200, answer.text);
      return answer.body ?? {};
    },

    /** Assigns a target of the account to a member. Resolves to a function that undoes it. */
    async assign(member: Member, url: string): Promise<{ unassign(): Promise<unknown> }> {
      const { target } = world().admin;
      const { verificationId: id } = await createTarget(world().admin, member, url);
      await target.assign({ id, user: member.userId });
      return { unassign: () => target.unassign({ id, user: member.userId }) };
    },
  };
}

interface Judgement {
  score: number;
  grade: string;
  passed: number;
  failed: number;
  /** Absent, as from an earlier release. */
  notApplicable?: number;
  notRun: number;
}

const spotless = { score: 100, grade: 'A+', passed: 40, failed: 0, notApplicable: 0, notRun: 0 };

/** Completes a scan as the worker does after judging it. */
export async function complete({ testDatabase }: World, id: string, judgement: Judgement = spotless): Promise<void> {
  const { score, grade, passed, failed, notApplicable, notRun } = judgement;
  await testDatabase.database.pool.query(
    `update scan set status = 'COMPLETED', score = $2, grade = $3, checks_passed = $4, checks_failed = $5,
       checks_not_run = $6, checks_not_applicable = $7, completed_at = service_now() where id = $1`,
    [id, score, grade, passed, failed, notRun, notApplicable],
  );
}

export interface NewFinding {
  id: string;
  severity?: Severity;
  confidence?: Confidence;
  impact?: number;
  checkId?: string;
  title?: string;
  affectedUrl?: string;
}

export async function addFinding({ testDatabase }: World, scanId: string, finding: NewFinding): Promise<void> {
  const { id, severity = 'LOW', confidence = 'CONFIRMED', impact = 0, affectedUrl = null } = finding;
  const { checkId = 'a-check', title = 'A title' } = finding;
  await testDatabase.database.pool.query(
    `insert into scan_finding (id, scan_id, description, severity, confidence, category,
       remediation, score_impact, check_id, title, affected_url)
       values ($1, $2, 'What it is.', $3, $4, 'headers', 'Fix it.', $5, $6, $7, $8)`,
    [id, scanId, severity, confidence, impact, checkId, title, affectedUrl],
  );
}

interface Started {
  id: string;
  domain: string;
  status: string;
}

/** Asserts that the response to a start has exactly these fields, and returns it. */
export function readStarted(answer: Answer): Started {
  assert.equal(answer.status, 201, answer.text);
  const { id, domain, status, ...rest } = answer.body as unknown as Started;
  assert.deepEqual(rest, {});
  assert.match(id, /^scn_[0-9A-Za-z]{20}$/);
  return { id, domain, status };
}

export const isReplay = ({ headers }: Answer) => headers['idempotent-replayed'] === 'true';
