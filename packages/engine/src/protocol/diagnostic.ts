import { parameterLocations } from '@sortie/contract';
import { z } from 'zod';
import { checkId, storable } from './finding.ts';
import { meter } from './phase.ts';

/** The database stores requests as JSON, which lone surrogates make invalid. */
const text = (most: number) => storable(most).transform((value) => value.toWellFormed());

/** Size limits of a diagnostic. The engine truncates to them; the worker refuses what exceeds them. */
export const diagnosticLimits = {
  checks: 200,
  url: 2_000,
  name: 300,
  reason: 2_000,
  requests: 30,
  label: 100,
  request: 500,
  outcome: 300,
  /** Per message. */
  diagnostics: 100,
} as const;
const most = diagnosticLimits;

/** One request of a check without secrets, and how the target responded to it. */
const DiagnosedRequest = z.strictObject({
  label: text(most.label),
  request: text(most.request),
  outcome: text(most.outcome),
});
export type DiagnosedRequest = z.infer<typeof DiagnosedRequest>;

/** All events of a check at one place, in the order in which they can occur. */
export const diagnosticEvents = ['PLANNED', 'NOT_PLANNED', 'SKIPPED', 'SENT', 'JUDGED', 'THREW'] as const;

/** What happened to a check at one insertion point. For operators only: no API, report or summary contains it. */
export const Diagnostic = z.strictObject({
  event: z.enum(diagnosticEvents),
  /** One check, or all that share the event, the place and the reason. */
  checks: z.array(checkId).min(1).max(most.checks),
  method: text(40),
  url: text(most.url),
  /** Null if the check concerns a request or a site as a whole. */
  parameter: text(most.name).nullable(),
  location: z.enum(parameterLocations).nullable(),
  /** Name of the account whose session was used; null without one. */
  account: text(most.name).nullable(),
  /** Null for events other than JUDGED. */
  verdict: z.enum(['PROVED', 'LIKELY', 'REFUTED', 'VOID']).nullable(),
  reason: text(most.reason),
  requests: z.array(DiagnosedRequest).max(most.requests),
});
export type Diagnostic = z.infer<typeof Diagnostic>;

/** Diagnostics since the last message, in order, and the number of those that the engine dropped. */
export const DiagnosticsMessage = z.strictObject({
  type: z.literal('diagnostics'),
  diagnostics: z.array(Diagnostic).max(most.diagnostics),
  notKept: meter,
});
