import type { CreditPart, CreditSource, UsageType } from '@sortie/contract';
import type { Credit, LedgerModel, ModelGrant, ModelPart, ModelRun, Place } from './model-types.ts';

export type { LedgerModel } from './model-types.ts';

const partNames = ['testing', 'review'] as const;
const monthOf = (instant: Date) => instant.toISOString().slice(0, 7);
const hasExpired = (grant: ModelGrant, now: Date) => grant.expiresAt !== null && grant.expiresAt <= now;

export function createLedgerModel(now: Date): LedgerModel {
  return {
    now,
    monthlyCredits: 0,
    caps: new Map(),
    grants: [],
    runs: new Map(),
    operations: [],
    booked: new Map(),
    planCredits: new Map(),
  };
}

export function allCredits(model: LedgerModel): Credit[] {
  return model.grants.flatMap((grant) => grant.credits);
}

export function countIn(credits: Credit[], place: Place): number {
  return credits.filter((credit) => credit.place === place).length;
}

function write(model: LedgerModel, type: UsageType, credits: number, run?: ModelRun, part?: CreditPart) {
  const all = allCredits(model);
  const balanceAfter = { available: countIn(all, 'available'), held: countIn(all, 'held') };
  model.operations.push({
    type,
    credits,
    part: part ?? null,
    pentestId: run?.runId ?? null,
    apiKeyId: run?.apiKeyId ?? null,
    createdAt: model.now.toISOString(),
    balanceAfter,
  });
  return { credits, balanceAfter };
}

export function expireInModel(model: LedgerModel): void {
  for (const grant of model.grants) {
    const due = hasExpired(grant, model.now) ? grant.credits.filter((credit) => credit.place === 'available') : [];
    for (const credit of due) credit.place = 'expired';
    if (due.length > 0) write(model, 'EXPIRE', -due.length);
  }
}

function addGrant(model: LedgerModel, source: CreditSource, expiresAt: Date | null, parent: ModelGrant | null = null) {
  const grant: ModelGrant = { number: model.grants.length, source, expiresAt, parent, graceUntil: null, credits: [] };
  model.grants.push(grant);
  return grant;
}

function addCredits(grant: ModelGrant, amount: number): void {
  for (let i = 0; i < amount; i++) grant.credits.push({ place: 'available', grant });
}

/** Returns the credit that is spent next. */
function nextCredit(model: LedgerModel): Credit | undefined {
  let next: ModelGrant | undefined;
  for (const grant of model.grants) {
    if (countIn(grant.credits, 'available') > 0 && (!next || isSpentBefore(grant, next))) next = grant;
  }
  return next?.credits.find((credit) => credit.place === 'available');
}

function isSpentBefore(a: ModelGrant, b: ModelGrant): boolean {
  if (a.expiresAt?.getTime() !== b.expiresAt?.getTime()) {
    if (b.expiresAt === null) return true;
    return a.expiresAt !== null && a.expiresAt < b.expiresAt;
  }
  if (a.source !== b.source) return a.source === 'plan';
  return a.number < b.number;
}

function take(model: LedgerModel, amount: number, place: Place): Credit[] {
  const taken: Credit[] = [];
  while (taken.length < amount) {
    const credit = nextCredit(model);
    if (!credit) throw new Error('the model took more than there is');
    credit.place = place;
    taken.push(credit);
  }
  return taken;
}

interface ModelGrantRequest {
  operationKey: string;
  source: CreditSource;
  amount: number;
  expiresAt: Date | null;
}

export function grantInModel(model: LedgerModel, request: ModelGrantRequest, type: 'GRANT' | 'ADJUST' = 'GRANT') {
  expireInModel(model);
  const key = `${type} ${request.operationKey}`;
  const earlier = model.booked.get(key);
  if (earlier) return earlier;
  addCredits(addGrant(model, request.source, request.expiresAt), request.amount);
  const booked = write(model, type, request.amount);
  model.booked.set(key, booked);
  return booked;
}

export function removeInModel(model: LedgerModel, operationKey: string, amount: number) {
  expireInModel(model);
  const key = `ADJUST ${operationKey}`;
  const earlier = model.booked.get(key);
  if (earlier) return earlier;
  if (countIn(allCredits(model), 'available') < amount) return { refused: 'INSUFFICIENT_CREDITS' };
  take(model, amount, 'removed');
  const booked = write(model, 'ADJUST', -amount);
  model.booked.set(key, booked);
  return booked;
}

export function grantPlanInModel(model: LedgerModel) {
  expireInModel(model);
  const month = monthOf(model.now);
  const granted = model.planCredits.get(month) ?? 0;
  if (granted >= model.monthlyCredits) return undefined;
  model.planCredits.set(month, model.monthlyCredits);
  const [year, zeroBasedMonth] = [model.now.getUTCFullYear(), model.now.getUTCMonth()];
  addCredits(addGrant(model, 'plan', new Date(Date.UTC(year, zeroBasedMonth + 1))), model.monthlyCredits - granted);
  return write(model, 'GRANT', model.monthlyCredits - granted);
}

export function usedInModel(model: LedgerModel, of: { apiKeyId?: string; userId?: string }): number {
  let used = 0;
  for (const run of model.runs.values()) {
    if (run.month !== monthOf(model.now)) continue;
    if (of.apiKeyId !== undefined && run.apiKeyId !== of.apiKeyId) continue;
    if (of.userId !== undefined && run.userId !== of.userId) continue;
    for (const part of partNames) used += run[part].charged ?? run[part].credits.length;
  }
  return used;
}

interface ModelStart {
  runId: string;
  apiKeyId: string | null;
  userId: string;
  testing: number;
  review: number;
}

export function holdInModel(model: LedgerModel, start: ModelStart) {
  expireInModel(model);
  const earlier = model.runs.get(start.runId);
  if (earlier) return factsOf(earlier);
  const { runId, apiKeyId, userId, testing, review } = start;
  const fits = (cap: number | null | undefined, used: number) => cap == null || used + testing + review <= cap;
  if (apiKeyId !== null && !fits(model.caps.get(apiKeyId), usedInModel(model, { apiKeyId }))) {
    return { refused: 'API_KEY_CAP_EXCEEDED' };
  }
  if (!fits(model.caps.get(userId), usedInModel(model, { userId }))) return { refused: 'ORG_CREDIT_CAP_EXCEEDED' };
  if (countIn(allCredits(model), 'available') < testing + review) return { refused: 'INSUFFICIENT_CREDITS' };
  const run: ModelRun = {
    runId,
    apiKeyId,
    userId,
    month: monthOf(model.now),
    state: 'RESERVED',
    testing: { credits: [], charged: null },
    review: { credits: [], charged: review === 0 ? 0 : null },
  };
  for (const part of partNames) {
    run[part].credits = take(model, start[part], 'held');
    if (start[part] > 0) write(model, 'HOLD', -start[part], run, part);
  }
  model.runs.set(runId, run);
  return factsOf(run);
}

export function settleInModel(model: LedgerModel, runId: string, part: CreditPart, charge: number) {
  expireInModel(model);
  const run = runOf(model, runId);
  if (run[part].charged !== null) return factsOf(run);
  settle(model, run, { part, charge, isStarted: true });
  if (partNames.every((each) => run[each].charged !== null)) run.state = 'CHARGED';
  return factsOf(run);
}

export function returnAllInModel(model: LedgerModel, runId: string, isStarted: boolean) {
  expireInModel(model);
  const run = runOf(model, runId);
  const parts = partNames.filter((part) => run[part].credits.length > 0);
  if (parts.some((part) => run[part].charged !== null)) return factsOf(run);
  for (const part of parts) settle(model, run, { part, charge: 0, isStarted });
  run.state = 'RETURNED';
  return factsOf(run);
}

interface ModelSettlement {
  part: CreditPart;
  charge: number;
  isStarted: boolean;
}

function settle(model: LedgerModel, run: ModelRun, { part, charge, isStarted }: ModelSettlement): void {
  const { credits } = run[part];
  run[part].charged = charge;
  for (const credit of credits.slice(0, charge)) credit.place = 'spent';
  if (charge > 0) write(model, 'CHARGE', -charge, run, part);
  const children = new Map<ModelGrant, ModelGrant>();
  const expired: Credit[] = [];
  for (const credit of credits.slice(charge)) {
    const { grant } = credit;
    const isLate = hasExpired(grant, model.now);
    const graceUntil = isLate && isStarted ? graceOf(model, grant) : null;
    credit.place = graceUntil ? 'moved' : 'available';
    if (graceUntil) {
      const child = children.get(grant) ?? addGrant(model, grant.source, graceUntil, grant);
      children.set(grant, child);
      addCredits(child, 1);
    } else if (isLate) expired.push(credit);
  }
  if (credits.length > charge) write(model, 'RETURN', credits.length - charge, run, part);
  for (const credit of expired) credit.place = 'expired';
  if (expired.length > 0) write(model, 'EXPIRE', -expired.length, run, part);
}

/** Each original grant has one grace period. */
function graceOf(model: LedgerModel, grant: ModelGrant): Date | null {
  if (grant.parent) return null;
  grant.graceUntil ??= inSevenDays(model);
  return grant.graceUntil > model.now ? grant.graceUntil : null;
}

function inSevenDays(model: LedgerModel): Date {
  return new Date(model.now.getTime() + 7 * 24 * 3_600_000);
}

function runOf(model: LedgerModel, runId: string): ModelRun {
  const run = model.runs.get(runId);
  if (!run) throw new Error(`the model has no run ${runId}`);
  return run;
}

export function factsOf(run: ModelRun) {
  const part = ({ credits, charged }: ModelPart) => ({ reserved: credits.length, charged });
  return { state: run.state, testing: part(run.testing), review: part(run.review) };
}
