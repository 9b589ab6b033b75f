import type { Admin } from '@sortie/server';
import { Command } from 'commander';
import { paragraph } from '../../terminal/paragraph.ts';
import { fields, table, toJson } from '../../terminal/text.ts';
import { runAdmin } from './run-admin.ts';

export function reviewCommand(): Command {
  const review = new Command('review').description('review, edit, sign off and reject reports (expert review)');
  addReadingCommands(review);
  addEditingCommands(review);
  addDecidingCommands(review);
  return review;
}

function addReadingCommands(review: Command): void {
  review
    .command('list')
    .description('list reports in review, oldest first')
    .option('--state <state>', 'WAITING, TAKEN, REJECTED or SIGNED_OFF (default: all except SIGNED_OFF)')
    .option('--limit <number>', 'maximum number (default: 50, up to 1000)')
    .action((options, command) =>
      runAdmin(
        command,
        (admin) => admin.review.list(options),
        ({ reviews }) => listText(reviews),
      ),
    );
  review
    .command('show <run>')
    .description('show a report with private notes and all findings, including excluded ones')
    .action((run, _options, command) => runAdmin(command, (admin) => admin.review.show({ run }), reportText));
  review
    .command('evidence <run>')
    .description('show the requests and responses behind the findings; secrets are redacted')
    .action((run, _options, command) => runAdmin(command, (admin) => admin.review.evidence({ run }), evidenceText));
  review
    .command('capsule <run>')
    .description('print the signed proof of a finding as JSON, for "sortie finding replay"')
    .option('--finding <id>', 'finding id (required)')
    .action((run, options, command) =>
      runAdmin(
        command,
        (admin) => admin.review.capsule({ run, ...options }),
        ({ capsule }) => `${toJson(capsule)}\n`,
      ),
    );
  review
    .command('take <run>')
    .description('assign a report to a reviewer, who can then edit and decide it')
    .option('--reviewer <id>', 'id or e-mail address of the reviewer, a staff user (required)')
    .option('--force', 'reassign a report that another reviewer has taken')
    .action((run, options, command) =>
      runAdmin(command, (admin) => admin.review.take({ run, ...options }), reviewText),
    );
}

const REVEAL_WARNING =
  'Warning: these are secrets of the account. This access is recorded in the audit log. Do not keep a copy.\n';

async function reveal(admin: Admin, input: Parameters<Admin['review']['reveal']>[0]) {
  const revealed = await admin.review.reveal(input);
  process.stderr.write(REVEAL_WARNING);
  return revealed;
}

function addEditingCommands(review: Command): void {
  review
    .command('reveal <run>')
    .description("print a run's test accounts in clear text; recorded in the audit log")
    .option('--reviewer <id>', 'id or e-mail address of the reviewer who took the report (required)')
    .option('--credential <name>', 'only the test account with this name')
    .action((run, options, command) => runAdmin(command, (admin) => reveal(admin, { run, ...options }), revealedText));
  acting(review, 'edit', 'edit a finding of a taken report')
    .option('--finding <id>', 'finding id (required)')
    .option('--title <text>', 'new title')
    .option('--description <text>', 'new description, or none')
    .option('--severity <severity>', 'CRITICAL, HIGH, MEDIUM, LOW or INFO')
    .option('--confidence <confidence>', 'CONFIRMED, FIRM or TENTATIVE')
    .option('--remediation <text>', 'new remediation, or none')
    .option('--cvss <score>', 'CVSS 3.1 base score such as 9.8, or none')
    .option('--cwe <number>', 'CWE such as CWE-89, or none')
    .action((run, options, command) =>
      runAdmin(command, (admin) => admin.review.edit({ run, ...options }), findingText),
    );
  acting(review, 'exclude', 'exclude a finding from a taken report')
    .option('--finding <id>', 'finding id (required)')
    .option('--undo', 'include the finding again')
    .action((run, options, command) =>
      runAdmin(command, (admin) => admin.review.exclude({ run, ...options }), findingText),
    );
  review
    .command('note <run>')
    .description('add a private note; the account cannot see it')
    .option('--text <text>', 'text of the note (required)')
    .option('--reviewer <id>', 'id or e-mail address of the author (default: operator)')
    .action((run, options, command) =>
      runAdmin(command, (admin) => admin.review.note({ run, ...options }), reviewText),
    );
}

function addDecidingCommands(review: Command): void {
  acting(review, 'sign-off', 'release a taken report and charge the review credits; irreversible').action(
    (run, options, command) => runAdmin(command, (admin) => admin.review.signOff({ run, ...options }), signedOffText),
  );
  acting(review, 'reject', 'reject a taken report; review credits stay held, the account is not told')
    .option('--reason <text>', 'reason, added to the private notes (required)')
    .action((run, options, command) =>
      runAdmin(command, (admin) => admin.review.reject({ run, ...options }), reviewText),
    );
  review
    .command('reopen <run>')
    .description('return a rejected report to the review queue')
    .action((run, _options, command) => runAdmin(command, (admin) => admin.review.reopen({ run }), reviewText));
}

function acting(review: Command, name: string, description: string): Command {
  return review
    .command(`${name} <run>`)
    .description(description)
    .option('--reviewer <id>', 'acting reviewer, who must have taken the report (default: that reviewer)');
}

type Revealed = Awaited<ReturnType<Admin['review']['reveal']>>;
type Review = Awaited<ReturnType<Admin['review']['take']>>;
type Report = Awaited<ReturnType<Admin['review']['show']>>;
type ReviewFinding = Report['findings'][number];

function listText(reviews: readonly Review[]): string {
  const headings = ['run', 'state', 'reviewer', 'since', 'depth', 'account', 'target'];
  const rows = reviews.map(({ id, state, reviewerId, createdAt, depth, accountId, targetUrl }) => {
    return [id, state, reviewerId, createdAt, depth, accountId, targetUrl];
  });
  return table(headings, rows, 'no matching reports');
}

function reviewText(review: Review): string {
  return fields(factsOf(review));
}

function factsOf(review: Review) {
  return {
    run: review.id,
    account: review.accountId,
    target: review.targetUrl,
    depth: review.depth,
    state: review.state,
    reviewer: review.reviewerId,
    'waiting since': review.createdAt,
    taken: review.takenAt,
    decided: review.decidedAt,
  };
}

function revealedText({ credentials }: Revealed): string {
  return credentials
    .map(({ name, kind, mode, location, ...secrets }) => {
      const given = Object.entries(secrets).filter(([, value]) => value !== null);
      const values = given.map(([field, value]) => [field, exactly(value ?? '')]);
      return fields({ name, kind, mode, location, ...Object.fromEntries(values) });
    })
    .join('\n');
}

/** Quotes the value as JSON if a terminal would not show it exactly. */
function exactly(value: string): string {
  if (value !== '' && !/^["\s]|\s$|\p{Cc}/u.test(value)) return value;
  return toJson(value);
}

type ReportEvidence = Awaited<ReturnType<Admin['review']['evidence']>>;

function evidenceText({ findings }: ReportEvidence): string {
  const shown = findings.flatMap(({ id, title, exchanges }) => [
    fields({ finding: id, title }),
    ...exchanges.map(({ label, request, response }) => `${label}\n${paragraph(request)}\n${paragraph(response)}`),
    ...(exchanges.length === 0 ? ['  no evidence stored, or evidence already deleted\n'] : []),
  ]);
  return shown.length > 0 ? shown.join('\n') : 'no findings\n';
}

function signedOffText({ changed, ...review }: Review & { changed: boolean }): string {
  return changed ? reviewText(review) : `${reviewText(review)}Already signed off: nothing changed.\n`;
}

function reportText({ findings, summary, notes, startedAt, completedAt, ...review }: Report): string {
  return [
    fields({ ...factsOf(review), started: startedAt, completed: completedAt }),
    `summary\n${paragraph(summary ?? '-')}`,
    `notes\n${paragraph(notes || '-')}`,
    ...findings.map(findingText),
    ...(findings.length === 0 ? ['no findings\n'] : []),
  ].join('\n');
}

function findingText({ description, remediation, editedAt, excludedAt, ...finding }: ReviewFinding): string {
  const facts = fields({
    finding: finding.id,
    title: finding.title,
    severity: finding.severity,
    confidence: finding.confidence,
    check: finding.checkId,
    CVSS: finding.cvssScore,
    vector: finding.cvssVector,
    'CVSS 4.0 vector': finding.cvss4Vector,
    impact: finding.impact,
    CWE: finding.cweId,
    at: finding.affectedUrl,
    method: finding.method,
    parameter: finding.parameter,
    location: finding.location,
    edited: editedAt ?? 'no',
    excluded: excludedAt ?? 'no',
  });
  return `${facts}description\n${paragraph(description ?? '-')}remediation\n${paragraph(remediation ?? '-')}`;
}
