import library, { type Builder, type TestCase } from 'junit-report-builder';
import { quoteLines, withoutCommands } from './ci-commands.ts';
import { evidenceTexts, shownCurl } from './evidence-text.ts';
import { defaultPolicy, isOverPolicy, type Prepared, prepare } from './prepare.ts';
import type { Report } from './report.ts';
import { parameterText, type ReportFinding } from './report-finding.ts';
import { cutText, oneLine } from './text.ts';
import { historyWords, isJudged, standing, TOOL, untestedOf, untestedText } from './words.ts';

/** The library exports its builder directly; its type declarations differ. */
const builder = library as unknown as Builder;

const MOST_TEXT = 4000;

/** The library writes text as CDATA, which `]]>` would end. */
const asSection = (text: string) => cutText(text, MOST_TEXT).replaceAll(']]>', ']] >');

/** Returns the policy of the verdict; without one, the default policy for findings that are not known. */
function policyOf(report: Prepared) {
  const known = 'known' in report ? report.known : undefined;
  return report.verdict ?? { ...defaultPolicy, ...(known && { accepted: known }) };
}

/** Without a verdict, derives the gate from the run itself; a run that was not judged never passes. */
function judge(report: Prepared): { outcome: 'passed' | 'failed' | 'undecided'; reason: string } {
  if (report.verdict) return report.verdict;
  if (!isJudged(report)) return { outcome: 'undecided', reason: standing(report) };
  const over = report.findings.filter((finding) => isOverPolicy(finding, policyOf(report))).length;
  if (over > 0) return { outcome: 'failed', reason: `${over} findings of at least ${defaultPolicy.failOn}` };
  const open = untestedOf(report).filter(({ isAccepted }) => !isAccepted);
  if (open.length === 0) return { outcome: 'passed', reason: standing(report) };
  const groups = open.map(({ group }) => group).join(', ');
  return { outcome: 'undecided', reason: `Checks that apply to the target could not run: ${groups}` };
}

function writeGate(report: Prepared, testCase: TestCase): void {
  const { outcome, reason } = judge(report);
  testCase.className(TOOL).name('gate');
  const message = cutText(oneLine(reason), MOST_TEXT);
  if (outcome === 'failed') testCase.failure(message, 'failed');
  // Most readers show skipped tests as green, and an undecided gate must not be green.
  else if (outcome === 'undecided') testCase.error(message, 'undecided');
  else testCase.standardOutput(asSection(message));
}

/** Reports an untested group as an error, like an undecided gate, unless the gate accepts it. */
function writeUntested(untested: ReturnType<typeof untestedOf>[number], testCase: TestCase): void {
  const message = cutText(oneLine(untestedText(untested)), MOST_TEXT);
  testCase.className(`${TOOL}.untested`).name(untested.group);
  if (untested.isAccepted) testCase.skipped().standardOutput(asSection(message));
  else testCase.error(message, 'untested');
}

function describe(finding: ReportFinding): string {
  return [
    finding.description,
    finding.impact && `Impact: ${finding.impact}`,
    finding.history && `History: ${historyWords(finding.history)}`,
    finding.affectedUrl && `Location: ${[finding.method, finding.affectedUrl].filter(Boolean).join(' ')}`,
    finding.parameter && `Parameter: ${parameterText(finding)}`,
    finding.remediation && `Remediation: ${finding.remediation}`,
    ...finding.references.map((reference) => `See: ${reference}`),
    `Finding: ${finding.id}`,
  ]
    .filter(Boolean)
    .join('\n');
}

/** Returns the steps to reproduce and the exchanges that prove the finding. */
function proofOf(finding: ReportFinding): string {
  const { stepsToReproduce } = finding;
  const curl = shownCurl(finding);
  return [
    ...stepsToReproduce.map((step, index) => `${index + 1}. ${oneLine(step)}`),
    ...(curl === null ? [] : [curl]),
    ...evidenceTexts(finding).map(({ title, text }) => `${title}\n${quoteLines(text)}\n`),
  ].join('\n');
}

function writeFinding(finding: ReportFinding, isFailure: boolean, testCase: TestCase): void {
  const title = cutText(oneLine(finding.title), 200);
  const headline = `${finding.severity} ${finding.confidence} ${title}`;
  // Readers identify test cases across runs by class and name.
  testCase.className(`${TOOL}.${finding.ruleId}`).name(`${title} (${finding.fingerprint.slice(0, 12)})`);
  const text = asSection(describe(finding));
  const proof = proofOf(finding);
  if (!isFailure) testCase.standardOutput(asSection([headline, text, proof].filter(Boolean).join('\n')));
  else {
    testCase.failure(headline, finding.severity).stacktrace(text);
    if (proof !== '') testCase.standardOutput(asSection(proof));
  }
}

/** Returns the report as JUnit XML, with the gate as a test case of its own. */
export function renderJunit(given: Report): string {
  const report = prepare(given);
  const policy = policyOf(report);
  const root = builder.newBuilder().name(TOOL);
  const suite = root
    .testSuite()
    .name(oneLine(`${TOOL} ${report.kind} of ${report.target}`))
    .timestamp(report.createdAt.slice(0, 19));
  suite.property('run', report.id).property('status', report.status);
  writeGate(report, suite.testCase());
  for (const untested of untestedOf(report)) writeUntested(untested, suite.testCase());
  for (const finding of report.findings) writeFinding(finding, isOverPolicy(finding, policy), suite.testCase());
  return withoutCommands(root.build());
}
