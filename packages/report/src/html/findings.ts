import { type Severity, severities } from '@sortie/contract';
import type { Prepared } from '../prepare.ts';
import { parameterText, type ReportFinding, withoutPlace } from '../report-finding.ts';
import { cutText, oneLine } from '../text.ts';
import { historyWords, severityWords } from '../words.ts';
import { curlOf, evidenceOf } from './evidence.ts';
import { html, type Markup } from './markup.ts';
import { badge, type Chapter, cutList, fact, link, MOST_ARTICLES, plural, toFinding, withCode } from './parts.ts';

/** Beyond this, the contents list severities only: the chapter begins with a table of all findings. */
const MOST_ENTRIES = 40;

const titleOf = (finding: ReportFinding, most: number) => cutText(oneLine(finding.title), most);

const anchorOf = (severity: Severity) => `severity-${severity.toLowerCase()}`;
const titleOfGroup = (severity: Severity, count: number) => `${severityWords[severity]} (${count})`;

export function findingsOf(report: Prepared): Chapter {
  const { findings } = report;
  const placed = findings.map((finding, index) => ({ finding, number: index + 1 }));
  const groups = severities.flatMap((severity) => {
    const of = placed.filter(({ finding }) => finding.severity === severity);
    return of.length === 0 ? [] : [{ severity, of }];
  });
  const articles = (of: typeof placed) => of.filter(({ number }) => number <= MOST_ARTICLES);
  const content = html`${overview(report)}${restOf(report)}${groups.map(
    ({ severity, of }) => html`<h3 id="${anchorOf(severity)}">${titleOfGroup(severity, of.length)}</h3>
${articles(of).map(({ finding, number }) => article(finding, number, report))}`,
  )}`;
  const entries =
    findings.length > MOST_ENTRIES
      ? groups.map(({ severity, of }) => ({ id: anchorOf(severity), title: titleOfGroup(severity, of.length) }))
      : placed.map(({ finding, number }) => ({
          id: `finding-${number}`,
          title: `${number}. ${titleOf(finding, 120)}`,
        }));
  return { id: 'findings', title: `Findings (${findings.length})`, content, entries };
}

function restOf({ findings, id }: Prepared): Markup | false {
  return (
    findings.length > MOST_ARTICLES &&
    html`<p>Details follow for the ${MOST_ARTICLES} worst findings. For all of them, run <code>sortie report ${id} --format json</code>.</p>`
  );
}

function overview({ findings, kind }: Prepared): Markup {
  if (findings.length === 0) return html`<p>No findings are listed.</p>`;
  const hasHistory = findings.some(({ history }) => history !== null);
  const last = kind === 'scan' ? 'Points' : 'CVSS';
  const row = (
    finding: ReportFinding,
    index: number,
  ) => html`<tr><td class="number">${index + 1}</td><td>${badge(finding.severity)}</td>
<td>${finding.confidence.toLowerCase()}</td><td dir="auto">${toFinding(index + 1, withCode(titleOf(finding, 300)))}</td>
${hasHistory && html`<td>${finding.history?.toLowerCase()}</td>`}<td class="number">${kind === 'scan' ? finding.scoreImpact : finding.cvssScore}</td></tr>`;
  return html`<table class="small"><caption>${plural(findings.length, 'finding')}, worst first</caption><thead><tr><th scope="col" class="number">No.</th><th scope="col">Severity</th>
<th scope="col">Confidence</th><th scope="col">Finding</th>${hasHistory && html`<th scope="col">History</th>`}<th scope="col" class="number">${last}</th></tr></thead>
<tbody>${findings.map(row)}</tbody></table>`;
}

function article(finding: ReportFinding, number: number, report: Prepared): Markup {
  const { remediation, references, impact, stepsToReproduce } = finding;
  return html`<article class="${finding.severity.toLowerCase()}" id="finding-${number}" aria-labelledby="finding-${number}-title">
<header><h4 id="finding-${number}-title" dir="auto">${number}. ${withCode(titleOf(finding, 500))}</h4>
<p>${badge(finding.severity)} <span class="soft">${finding.confidence.toLowerCase()}${finding.history !== null && `, ${historyWords(finding.history)}`}</span></p>
${factsOf(finding)}</header>
<h5>Description</h5><p class="words" dir="auto">${withCode(withoutPlace(finding.description))}</p>
${impact !== null && html`<h5>Impact</h5><p class="words" dir="auto">${withCode(impact)}</p>`}
${placesOf(finding)}
${stepsToReproduce.length > 0 && html`<h5>Steps to reproduce</h5><ol>${stepsToReproduce.map((step) => html`<li class="words" dir="auto">${withCode(step)}</li>`)}</ol>`}
${evidenceOf(finding, report)}${curlOf(finding)}
${remediation !== null && html`<h5>Remediation</h5><p class="words" dir="auto">${withCode(remediation)}</p>`}
${references.length > 0 && html`<h5>References</h5><ul>${references.map((each) => html`<li>${link(each)}</li>`)}</ul>`}
</article>
`;
}

const MOST_PLACES = 30;

/** The location above is the first place. */
function placesOf({ morePlaces }: ReportFinding): Markup | false {
  const { listed, rest } = cutList(morePlaces, MOST_PLACES);
  if (listed.length === 0) return false;
  const places = listed.map((place) => html`<li><code dir="ltr">${cutText(oneLine(place), 300)}</code></li>`);
  return html`<h5>Also at</h5><ul>${places}${rest > 0 && html`<li>${rest} more places</li>`}</ul>`;
}

const factsOf = (finding: ReportFinding) =>
  html`<dl>${[
    fact('Location', [finding.method, finding.affectedUrl].filter(Boolean).join(' ')),
    fact('Parameter', parameterText(finding)),
    fact('Check', finding.checkId),
    fact('Weakness', finding.cwe === null ? null : `CWE-${finding.cwe}`),
    fact('OWASP Top 10', finding.owaspCategory),
    fact('CVSS 3.1', finding.cvssScore),
    fact('CVSS vector', finding.cvssVector),
    fact('CVSS 4.0 vector', finding.cvss4Vector),
    fact('Score', finding.scoreImpact === null ? null : pointsText(finding.scoreImpact)),
    fact('Finding', finding.id),
    fact('Fingerprint', html`<code>${finding.fingerprint}</code>`),
  ]}</dl>`;

const pointsText = (points: number) => (points === 0 ? 'no points' : `−${plural(points, 'point')}`);
