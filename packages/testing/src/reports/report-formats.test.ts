import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { formats } from '../../../report/src/index.ts';
import { defectDojoFormat } from './defectdojo-format.ts';
import { gitlabFormat } from './gitlab-format.ts';
import { provedFinding, samplePentest } from './sample-reports.ts';

const ajv = new Ajv({ strict: false });
addFormats.default(ajv);
const isGitlab = ajv.compile(gitlabFormat);
const isDefectDojo = ajv.compile(defectDojoFormat);

type Document = Record<string, unknown>;

/** Returns the document with another value at the path, or without it. */
function withValue(document: Document, path: string, value: unknown): Document {
  const copy = structuredClone(document);
  const names = path.split('.');
  const last = names.pop() ?? '';
  const parent = names.reduce<Document>((each, name) => each[name] as Document, copy);
  assert.ok(last in parent || value !== undefined, `${path} is not in the report`);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

/** Each breaks one demand of the format; `undefined` leaves the field out. */
const broken = {
  'gitlab-dast': {
    version: '15.0',
    'scan.analyzer.vendor': undefined,
    'scan.start_time': '2026-11-15T10:00:05Z',
    'scan.type': 'sast',
    'scan.scanned_resources.0.type': '',
    'vulnerabilities.0.id': '',
    'vulnerabilities.0.identifiers': [],
    'vulnerabilities.0.name': 'x'.repeat(256),
    'vulnerabilities.0.severity': 'critical',
    'vulnerabilities.0.solution': 'x'.repeat(7_001),
    'vulnerabilities.0.links.0.url': 'javascript:alert(1)',
    'vulnerabilities.0.cvss_vectors': [],
    'vulnerabilities.0.cvss_vectors.0.vector': 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N',
    'vulnerabilities.0.location': undefined,
    'vulnerabilities.0.evidence.request.headers': undefined,
    'vulnerabilities.0.evidence.response.status_code': '200',
    'vulnerabilities.0.evidence.response.reason_phrase': undefined,
  },
  defectdojo: {
    'findings.0.title': 'x'.repeat(512),
    'findings.0.severity': 'CRITICAL',
    'findings.0.description': undefined,
    'findings.0.date': 'yesterday',
    'findings.0.cvssv3': 'AV:N/AC:L',
    'findings.0.cvssv3_score': 10.1,
    'findings.0.cwe': 'CWE-89',
    'findings.0.active': 'true',
    'findings.0.service': 'x'.repeat(201),
    'findings.0.unique_id_from_tool': 'x'.repeat(501),
    'findings.0.fingerprint': 'a key that the importer does not list',
    'findings.0.endpoints': ['', 1],
  },
} as const;

const validators = { 'gitlab-dast': isGitlab, defectdojo: isDefectDojo };

for (const [format, cases] of Object.entries(broken)) {
  const name = format as keyof typeof broken;
  const document = JSON.parse(formats[name].render(samplePentest({ findings: [provedFinding()] }))) as Document;
  const isValid = validators[name];

  describe(`the rules of the format ${name}`, () => {
    it('accept our report, and fields of the format that we do not write', () => {
      assert.equal(isValid(document), true, JSON.stringify(isValid.errors));
      const more =
        name === 'defectdojo'
          ? withValue(document, 'findings.0.component_name', 'shop')
          : withValue(document, 'vulnerabilities.0.flags', [
              { type: 'flagged-as-likely-false-positive', origin: 'x', description: 'y' },
            ]);
      assert.equal(isValid(more), true, JSON.stringify(isValid.errors));
    });

    for (const [path, value] of Object.entries(cases)) {
      it(`refuse another ${path}`, () => assert.equal(isValid(withValue(document, path, value)), false));
    }
  });
}
