import type { Admin } from '@sortie/server';
import { Command } from 'commander';
import { coverageText } from '../../terminal/coverage-text.ts';
import { paragraph } from '../../terminal/paragraph.ts';
import { fields, table } from '../../terminal/text.ts';
import { runAdmin } from './run-admin.ts';
import { traceText } from './run-trace.ts';

export function runCommand(): Command {
  const run = new Command('run').description('list and inspect pentests of all accounts');
  run
    .command('list')
    .description('list pentests, newest first')
    .option('--account <id>', 'only this account')
    .option('--status <list>', 'only these statuses, comma-separated')
    .option('--limit <number>', 'maximum number (default: 50, up to 1000)')
    .action((options, command) =>
      runAdmin(
        command,
        (admin) => admin.run.list(options),
        ({ runs }) => listText(runs),
      ),
    );
  run
    .command('show <run>')
    .description('show a run: lease, meters, steps, findings, credits, review, egress, coverage')
    .action((run, _options, command) => runAdmin(command, (admin) => admin.run.show({ run }), runText));
  run
    .command('statement <run>')
    .description('show how the charge of a pentest was calculated')
    .action((run, _options, command) => runAdmin(command, (admin) => admin.run.statement({ run }), statementText));
  run
    .command('trace <run>')
    .description('show what the checks of a pentest planned, sent and judged')
    .option('--check <id>', 'only this check')
    .option('--url <part>', 'only insertion points whose URL contains this text')
    .action((run, { check, url }, command) =>
      runAdmin(
        command,
        (admin) => admin.run.trace({ run, check, url }),
        (trace) => traceText(trace, check),
      ),
    );
  run
    .command('activity <run>')
    .description('show what the planner with a language model expected, tried and found')
    .action((run, _options, command) => runAdmin(command, (admin) => admin.run.activity({ run }), activityText));
  return run;
}

type ListedRun = Awaited<ReturnType<Admin['run']['list']>>['runs'][number];
type ShownRun = Awaited<ReturnType<Admin['run']['show']>>;
type Activity = Awaited<ReturnType<Admin['run']['activity']>>;
type Statement = Awaited<ReturnType<Admin['run']['statement']>>;

function listText(runs: readonly ListedRun[]): string {
  const headings = ['run', 'status', 'depth', 'credits', 'created', 'completed', 'account', 'target'];
  const rows = runs.map(({ id, status, depth, credits, createdAt, completedAt, accountId, targetUrl }) => {
    return [id, status, depth, credits?.state, createdAt, completedAt, accountId, targetUrl];
  });
  return table(headings, rows, 'no matching runs');
}

function runText(run: ShownRun): string {
  return [
    factsText(run),
    metersText(run.meters),
    ...modelUseText(run.modelUse),
    ...toolUseText(run.toolUse),
    stepsText(run.steps),
    findingsText(run.findings),
    creditsText(run.credits),
    reviewText(run),
    consentText(run.consent),
    egressText(run.egress),
    `summary\n${paragraph(run.summary ?? '-')}`,
    ...(run.coverage ? [coverageText(run.coverage)] : []),
  ].join('\n');
}

function factsText({ lease, ...run }: ShownRun): string {
  return fields({
    run: run.id,
    account: run.accountId,
    'started by': run.userId,
    key: run.apiKeyId,
    target: run.targetUrl,
    verification: run.verificationId,
    depth: run.depth,
    status: run.status,
    created: run.createdAt,
    queued: run.handedOverAt,
    started: run.startedAt,
    completed: run.completedAt,
    'lease owner': lease.owner,
    'lease epoch': lease.epoch,
    'lease until': lease.until,
    attempts: run.attempts,
  });
}

/** Formats a meter in readable units. */
function amount(value: number, unit: ShownRun['meters']['time' | 'requests' | 'model']['unit']): string {
  if (unit === 'ms') return `${(value / 60_000).toFixed(2)} min`;
  return unit === 'microdollars' ? `$${(value / 1_000_000).toFixed(4)}` : String(value);
}

function metersText(meters: ShownRun['meters']): string {
  const rows = Object.entries(meters).map(([name, { used, allowed, unit }]) => {
    return [name, amount(used, unit), amount(allowed, unit)];
  });
  return table(['meter', 'used', 'allowed'], rows, '');
}

/** Returns an empty text for a run without calls of a language model. */
function activityText({ id, targetUrl, depth, status, activity }: Activity): string {
  const facts = fields({ run: id, target: targetUrl, depth, status });
  if (activity.length === 0)
    return `${facts}\nNo activity is stored: the run asked no language model, or it was deleted with the evidence.\n`;
  const entries = activity.map(({ createdAt, specialist, hypothesis, tried, outcome }) =>
    fields({ agent: specialist, at: createdAt, ...(hypothesis && { hypothesis }), tried, result: outcome }),
  );
  return [facts, ...entries].join('\n');
}

function modelUseText(use: ShownRun['modelUse']): string[] {
  if (use.length === 0) return [];
  const rows = use.map(({ phase, specialist, provider, model, promptVersion, calls, answered, ...used }) => [
    phase,
    specialist,
    `${provider} ${model}`,
    promptVersion,
    calls,
    answered,
    used.inputTokens,
    used.outputTokens,
    amount(used.microdollars, 'microdollars'),
    amount(used.unknownMicrodollars, 'microdollars'),
  ]);
  const headings = [
    'phase',
    'specialist',
    'model',
    'instructions',
    'calls',
    'answered',
    'input',
    'output',
    'spent',
    'unknown, not charged',
  ];
  return [table(headings, rows, '')];
}

function toolUseText(use: ShownRun['toolUse']): string[] {
  if (use.length === 0) return [];
  const rows = use.map(({ phase, specialist, tool, times, requests }) => [phase, specialist, tool, times, requests]);
  return [table(['phase', 'specialist', 'tool', 'times', 'requests'], rows, '')];
}

function stepsText(steps: ShownRun['steps']): string {
  const rows = steps.map(({ name, epoch, engineMs, requests, modelMicrodollars, completedAt }) => {
    return [name, epoch, amount(engineMs, 'ms'), requests, amount(modelMicrodollars, 'microdollars'), completedAt];
  });
  return table(['step', 'epoch', 'time', 'requests', 'model', 'completed'], rows, 'no steps completed yet');
}

function findingsText(findings: ShownRun['findings']): string {
  return table(Object.keys(findings), [Object.values(findings)], '');
}

function creditsText(credits: ShownRun['credits']): string {
  const { state, reserved, charged, returned } = credits ?? {};
  return fields({ credits: state ?? 'none', reserved, charged, returned });
}

function reviewText({ expertReview, review, releasedAt }: ShownRun): string {
  const state = review?.state ?? (expertReview ? 'not started' : 'not part of this level');
  return fields({ review: state, reviewer: review?.reviewerId, decided: review?.decidedAt, released: releasedAt });
}

function consentText(consent: ShownRun['consent']): string {
  if (!consent) return fields({ consent: 'not recorded' });
  const { excludedPaths, requestsPerSecond, window } = consent.rules;
  return fields({
    'consent of': consent.userId,
    on: consent.createdAt,
    'excluded paths': excludedPaths.join(' ') || 'none',
    'requests per second': requestsPerSecond ?? 'engine default',
    hours: window ? `${window.from}-${window.to} UTC` : 'any',
  });
}

/** Lists every destination, so that an operator notices out-of-scope traffic first. */
function egressText(egress: ShownRun['egress']): string {
  const rows = egress.map(({ host, port, address, outcome, reason, connections, requests }) => {
    return [`${host}:${port}`, address, outcome, connections, requests, reason];
  });
  const headings = ['destination', 'address', 'outcome', 'connections', 'requests', 'reason'];
  return table(headings, rows, 'no connections');
}

function statementText({ meters, modelUse, toolUse, testing, review, total, ...statement }: Statement): string {
  const used = Object.entries(meters).map(([name, { used, allowed, unit, credits }]) => {
    return [name, amount(used, unit), amount(allowed, unit), credits];
  });
  const parts = Object.entries({ testing, review, total }).map(([name, { reserved, charged, returned, held }]) => {
    return [name, reserved, charged, returned, held];
  });
  return [
    fields({
      run: statement.id,
      account: statement.accountId,
      target: statement.targetUrl,
      depth: statement.depth,
      outcome: statement.outcome,
      started: statement.started ? 'yes' : 'no',
    }),
    table(['meter', 'used', 'allowed', 'would cost'], used, ''),
    ...modelUseText(modelUse),
    ...toolUseText(toolUse),
    fields({ largest: statement.largest, minimum: statement.minimum, 'charged for testing': testing.charged }),
    table(['credits', 'reserved', 'charged', 'returned', 'held'], parts, ''),
  ].join('\n');
}
