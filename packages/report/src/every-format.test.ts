import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertNoMarkup, readers } from '@sortie/testing/reports/report-readers.ts';
import {
  earlierFinding,
  provedFinding,
  sampleCoverage,
  sampleEngagement,
  sampleExchange,
  samplePentest,
  sampleScan,
  sampleScanFinding,
} from '@sortie/testing/reports/sample-reports.ts';
import { secretPlaces } from '@sortie/testing/secrets/secret-places.ts';
import { array, constantFrom, assert as holds, property, stringMatching } from 'fast-check';
import { type FormatName, formats, type Report, renderComment, renderStepSummary } from './index.ts';

const unprintable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** Every output format with a reader that parses or validates it. */
const writers: Record<string, { render(report: Report): string; read(text: string): unknown }> = {
  ...Object.fromEntries(
    Object.entries(formats).map(([name, format]) => [name, { ...format, read: readers[name as FormatName] }]),
  ),
  summary: { render: renderStepSummary, read: assertNoMarkup },
  comment: { render: renderComment, read: assertNoMarkup },
};

/** Returns a report of each kind with the same text in every field that a target or a user controls. */
function reportsWith(text: string): Report[] {
  const verdict = { outcome: 'failed', reason: text, failOn: 'HIGH', minConfidence: 'FIRM' } as const;
  const both = { title: text, description: text, affectedUrl: text, remediation: text };
  const scanned = sampleScanFinding({ ...both, evidence: text, references: [text] });
  const spans = [{ start: 0, end: Math.min(5, text.length) }].filter(({ end }) => end > 0);
  const evidence = [
    sampleExchange({ label: text, request: text, response: text, highlights: { request: spans, response: spans } }),
    sampleExchange({
      request: `POST https://shop.example.com/\nX-Note: ${text}\n\n${text}`,
      response: `200\nX-Note: ${text}\n\n${text}`,
      highlights: {
        request: [{ start: 50, end: 55 }],
        response: [
          { start: 13, end: 18 },
          { start: 15, end: 1e9 },
        ],
      },
    }),
  ];
  const place = { url: text, method: text, parameter: text, location: text, accounts: [text] };
  const told = {
    places: [place, place],
    curl: text,
    impact: text,
    stepsToReproduce: [text],
    history: text,
    cvss4Vector: text,
  };
  const tested = provedFinding({ ...both, parameter: text, method: text, evidence, ...told });
  const failure = { code: 'UNREACHABLE', message: text };
  return [
    sampleScan({ findings: [scanned], verdict }),
    sampleScan({ findings: [], score: null, grade: null, failure }),
    samplePentest({
      findings: [tested],
      verdict,
      dashboardUrl: text,
      summary: text,
      untested: [{ group: text, reason: text, cure: text }],
      coverage: sampleCoverage(text),
      engagements: [sampleEngagement(text)],
      fixed: [earlierFinding({ title: text, affectedUrl: text, method: text })],
      notTested: [earlierFinding({ title: text, severity: text, reason: text })],
    }),
  ];
}

function eachRendering(text: string, look: (rendered: string, name: string) => void): void {
  for (const report of reportsWith(text)) {
    for (const [name, { render }] of Object.entries(writers)) look(render(report), name);
  }
}

it('knows every format', () => {
  assert.deepEqual(Object.keys(writers).slice(0, -2), Object.keys(formats));
});

describe('a group of checks that could not run', () => {
  const untested = [{ group: 'scripting', reason: 'There was no browser.', cure: 'Install Chromium.' }];
  for (const name of ['sarif', 'junit', 'gitlab-dast', 'json', 'summary', 'comment']) {
    it(`is named with reason and cure: ${name}`, () => {
      const rendered = writers[name]?.render(samplePentest({ findings: [], untested })) ?? '';
      for (const words of ['scripting', 'There was no browser', 'Install Chromium']) {
        assert.ok(rendered.includes(words), rendered);
      }
    });
  }
});

describe('hostile text', () => {
  const texts: Record<string, string> = {
    HTML: '<script>alert(1)</script>"><img src=x onerror=alert(1)><iframe></iframe>',
    'what ends an XML section': ']]></failure></testcase><!-- & &#0; <![CDATA[',
    'control characters': '\u0000\u0001\u0008\u000b\u001b[31mred\u001b[0m\u007f\u0085\ufffe\uffff',
    'lone surrogates': 'a\ud800b\udc00c\udfff\ud83d',
    'text from right to left': 'admin\u202egnp.exe\u202c \u2066hidden\u2069 שלום',
    'lines of every kind': 'a\rb\nc\r\nd\u2028e\u2029f',
    Markdown: '# a\n```\n| b | c |\n[d](javascript:alert(1)) <!-- e',
    nothing: '',
    'a space': ' ',
  };

  for (const [kind, text] of Object.entries(texts)) {
    it(`is written readably in every format: ${kind}`, () => {
      eachRendering(text, (rendered, name) => {
        assert.ok(rendered.isWellFormed(), name);
        assert.doesNotMatch(rendered, unprintable, name);
        writers[name]?.read(rendered);
      });
    });
  }

  it('may be a megabyte of evidence, which only the JSON document has in full', () => {
    const report = sampleScan({ findings: [sampleScanFinding({ evidence: '<é> '.repeat(262_144) })] });
    for (const [name, { render, read }] of Object.entries(writers)) {
      const rendered = render(report);
      read(rendered);
      assert.ok(name === 'json' ? rendered.length > 1_000_000 : rendered.length < 300_000, name);
    }
  });

  it('may be megabytes of exchanges, which only the JSON document has in full', () => {
    const body = '<é> '.repeat(262_144);
    const end = body.length + 40;
    const highlights = { request: [{ start: 50_000, end: 50_010 }], response: [{ start: end - 20, end: end - 10 }] };
    const request = `POST https://shop.example.com/\n\n${body}`;
    const evidence = [sampleExchange({ request, response: `200\n\n${body}${'.'.repeat(60)}`, highlights })];
    const report = samplePentest({ findings: [provedFinding({ evidence, curl: body })] });
    for (const [name, { render, read }] of Object.entries(writers)) {
      const rendered = render(report);
      read(rendered);
      assert.ok(name === 'json' ? rendered.length > 2_000_000 : rendered.length < 300_000, name);
    }
  });

  it('is no command for the CI system that prints or imports the report', () => {
    const commands = ['::error file=a.js::x', '  ::add-mask::x', '##vso[task.setvariable variable=a]b', '##[group]c'];
    const text = [...commands, ...commands, '[[ATTACHMENT|/etc/passwd]]'].join('\n');
    eachRendering(text, (rendered, name) => {
      if (name === 'summary' || name === 'comment' || name === 'html') return;
      assert.doesNotMatch(rendered, /^\s*::|##(?:vso)?\[|\[\[ATTACHMENT\|/m, name);
      writers[name]?.read(rendered);
    });
    const report = samplePentest({ target: 'https://shop.example.com/##vso[a]' });
    assert.equal(JSON.parse(formats.json.render(report)).target, report.target);
  });

  it('is written readably whatever it is', () => {
    const any = array(
      constantFrom('<', '>', '&', '"', "'", '`', '|', '\\', ']]>', '%', '\n', '\0', '\ud800', 'é', 'a', '=', '://'),
    );
    holds(
      property(any, (parts) => {
        eachRendering(parts.join(''), (rendered, name) => writers[name]?.read(rendered));
      }),
      { numRuns: 30 },
    );
  });
});

it('writes the same report twice', () => {
  const findings = [provedFinding(), provedFinding({ id: 'fnd_3', severity: 'LOW', cvssScore: null })];
  const report = samplePentest({ findings, coverage: sampleCoverage(), engagements: [sampleEngagement()] });
  const copy = structuredClone(report);
  for (const [name, { render }] of Object.entries(writers)) assert.equal(render(report), render(copy), name);
});

describe('the evidence of a pentest', () => {
  const report = samplePentest({ findings: [provedFinding()] });
  for (const name of ['sarif', 'junit', 'gitlab-dast', 'defectdojo', 'markdown', 'json', 'html']) {
    it(`is in the format: ${name}`, () => {
      const rendered = writers[name]?.render(report) ?? '';
      assert.match(rendered, /SQLite/);
      writers[name]?.read(rendered);
    });
  }
});

describe('secrets', () => {
  const letters = stringMatching(/^[a-zA-Z0-9]{12,30}$/).filter((text) => /[0-9]/.test(text) && /[A-Z]/.test(text));

  it('planted anywhere are in no format', () => {
    let planted = 0;
    holds(
      property(letters, constantFrom(...Object.values(secretPlaces)), (secret, { put }) => {
        eachRendering(`before\n${put(secret)}`, (rendered, name) => {
          planted += 1;
          assert.ok(!rendered.includes(secret.slice(0, 10)), `${secret} in ${name}`);
        });
      }),
      { numRuns: 60 },
    );
    assert.ok(planted >= 1800);
  });
});
