import { confidences, severities } from '@sortie/contract';
import { z } from 'zod';
import { OPERATOR } from '../audit/audit.ts';
import { type OpenedCredential, sealedFields, type VaultSource } from '../credentials/credentials.ts';
import {
  addNote,
  editFinding,
  listReviews,
  readReport,
  readReportCapsule,
  readReportEvidence,
  rejectReport,
  reopenReport,
  revealCredentials,
  reviewStates,
  setExcluded,
  signOff,
  takeReport,
} from '../review/review.ts';
import type { SigningSource } from '../secrets/signing-source.ts';
import { publishSigningKey } from '../signing/signing.ts';
import type { AdminContext } from './context.ts';
import { id, limit, must, oneOf, parseInput, shortText } from './input.ts';

/** Text that may span several lines; of the control characters, only those used in plain text are allowed. */
function longText(be: string) {
  return z
    .string(must(be))
    .trim()
    .min(1, `must be ${be}`)
    .max(50_000, 'must not be longer than 50,000 characters')
    .refine((text) => !/[^\P{Cc}\n\t]/u.test(text), 'must not contain control characters');
}

const orNone = (text: string) => (text === 'none' ? null : text);

const SCORE = 'a score from 0.0 to 10.0, or none';
const cvss = z
  .string(must(SCORE))
  .regex(/^(none|10(\.0)?|\d(\.\d)?)$/, `must be ${SCORE}`)
  .transform((text) => (text === 'none' ? null : Number(text).toFixed(1)));

const CWE = 'a CWE number such as 89 or CWE-89, or none';
const cwe = z
  .string(must(CWE))
  .regex(/^(none|(CWE-)?[1-9]\d{0,5})$/, `must be ${CWE}`)
  .transform((text) => (text === 'none' ? null : `CWE-${text.replace('CWE-', '')}`));

const reviewer = shortText("a user's id or e-mail address");
const acting = { run: id, reviewer: reviewer.optional() };

const wording = {
  title: shortText('a title').optional(),
  description: longText('a description, or none').transform(orNone).optional(),
  severity: oneOf(severities).optional(),
  confidence: oneOf(confidences).optional(),
  remediation: longText('a remediation, or none').transform(orNone).optional(),
  cvss: cvss.optional(),
  cwe: cwe.optional(),
};

const List = z.strictObject({ state: oneOf(reviewStates).optional(), limit: limit.default(50) });
const OneRun = z.strictObject({ run: id });
const OneFinding = z.strictObject({ run: id, finding: id });
const Take = z.strictObject({ run: id, reviewer, force: z.boolean().default(false) });
const Edit = z
  .strictObject({ ...acting, finding: id, ...wording })
  .refine((given) => Object.keys(wording).some((name) => given[name as keyof typeof wording] !== undefined), {
    path: ['title'],
    error: `is required, or another of: ${Object.keys(wording).slice(1).join(', ')}`,
  });
const Exclude = z.strictObject({ ...acting, finding: id, undo: z.boolean().default(false) });
const Note = z.strictObject({ ...acting, text: longText('a text') });
const Reveal = z.strictObject({ run: id, reviewer, credential: shortText('the name of a test account').optional() });
const SignOff = z.strictObject(acting);
const Reject = z.strictObject({ ...acting, reason: longText('a reason') });

const actor = OPERATOR;

type ClearCredential = Pick<OpenedCredential, 'name' | 'kind' | 'mode' | 'location'> &
  Record<(typeof sealedFields)[number], string | null>;

function toClear(opened: OpenedCredential): ClearCredential {
  const { name, kind, mode, location } = opened;
  const values = sealedFields.map((field) => [field, opened[field]?.reveal() ?? null]);
  return { name, kind, mode, location, ...Object.fromEntries(values) };
}

/** Returns the commands `sortie admin review`. */
export function reviewCommands({ transact }: AdminContext, vault: VaultSource, loadSigning: () => SigningSource) {
  return {
    async list(input: z.input<typeof List>) {
      const { state, limit } = parseInput(List, input);
      return transact(async (tx) => ({ reviews: await listReviews(tx, { state, limit }) }));
    },

    async show(input: z.input<typeof OneRun>) {
      const { run } = parseInput(OneRun, input);
      return transact((tx) => readReport(tx, run));
    },

    async evidence(input: z.input<typeof OneRun>) {
      const { run } = parseInput(OneRun, input);
      return transact(async (tx) => ({ findings: await readReportEvidence(tx, run) }));
    },

    async capsule(input: z.input<typeof OneFinding>) {
      const { run: runId, finding: findingId } = parseInput(OneFinding, input);
      const key = loadSigning().current();
      return transact(async (tx) => {
        await publishSigningKey(tx, { current: () => key });
        return { capsule: await readReportCapsule(tx, { runId, findingId }, key) };
      });
    },

    async take(input: z.input<typeof Take>) {
      const { run: runId, reviewer, force: isForced } = parseInput(Take, input);
      return transact((tx) => takeReport(tx, { runId, reviewer, isForced, actor }));
    },

    async edit(input: z.input<typeof Edit>) {
      const { run: runId, reviewer, finding: findingId, cvss, cwe, ...rest } = parseInput(Edit, input);
      const edit = { ...rest, cvssScore: cvss, cweId: cwe };
      return transact((tx) => editFinding(tx, { runId, reviewer, findingId, edit, actor }));
    },

    async exclude(input: z.input<typeof Exclude>) {
      const { run: runId, reviewer, finding: findingId, undo } = parseInput(Exclude, input);
      return transact((tx) => setExcluded(tx, { runId, reviewer, findingId, isExcluded: !undo, actor }));
    },

    async note(input: z.input<typeof Note>) {
      const { run: runId, reviewer, text } = parseInput(Note, input);
      return transact((tx) => addNote(tx, { runId, reviewer, text, actor }));
    },

    /** Resolves to the secrets in plain text, after the access has been recorded. */
    async reveal(input: z.input<typeof Reveal>) {
      const { run: runId, reviewer, credential } = parseInput(Reveal, input);
      const opened = await transact((tx) =>
        revealCredentials(tx, vault.load(), { runId, reviewer, credential, actor }),
      );
      return { run: runId, credentials: opened.map(toClear) };
    },

    async signOff(input: z.input<typeof SignOff>) {
      const { run: runId, reviewer } = parseInput(SignOff, input);
      return transact((tx) => signOff(tx, { runId, reviewer, actor }));
    },

    async reject(input: z.input<typeof Reject>) {
      const { run: runId, reviewer, reason } = parseInput(Reject, input);
      return transact((tx) => rejectReport(tx, { runId, reviewer, reason, actor }));
    },

    async reopen(input: z.input<typeof OneRun>) {
      const { run: runId } = parseInput(OneRun, input);
      return transact((tx) => reopenReport(tx, { runId, actor }));
    },
  };
}
