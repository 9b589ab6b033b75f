import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDocumentValidator } from '@sortie/testing/http/document-validator.ts';
import { Credential } from './credentials.ts';
import { buildOpenApi } from './openapi.ts';
import type { JsonSchema, OpenApiDocument } from './openapi-document.ts';
import { endpointOf, readStatedRules, type StatedRule, unacceptedChanges } from './stated-rules.ts';

const today = buildOpenApi();
const statedRules = readStatedRules();
const compile = createDocumentValidator(today);

/** Returns today's document without the rules, as it was before it stated them. */
function withoutRules(): OpenApiDocument {
  const document: OpenApiDocument = JSON.parse(JSON.stringify(today));
  const { Credential: credential, StartScan, StartPentest } = document.components.schemas;
  delete credential?.allOf;
  delete credential?.dependentRequired;
  for (const url of [
    credential?.properties?.tokenUrl,
    StartScan?.properties?.url,
    StartPentest?.properties?.targetUrl,
  ]) {
    delete (url as JsonSchema).pattern;
  }
  return document;
}

/** Returns the document with a rule that the service does not enforce: verification ids start with "ver_". */
function withUnenforcedRule(): OpenApiDocument {
  const document: OpenApiDocument = JSON.parse(JSON.stringify(today));
  const id = document.components.schemas.StartPentest?.properties?.verificationId as JsonSchema;
  id.pattern = '^ver_';
  return document;
}

const unenforced: StatedRule = {
  change: 'POST /v1/pentests body.verificationId: pattern changed from none to "^ver_"',
  reason: 'Every id starts with it.',
  refused: [{ targetUrl: 'https://shop.example.com/', verificationId: 'tgt_1' }],
};

describe('a rule that the document did not state', () => {
  it('can be stated once it is listed with what the service refuses for it', () => {
    assert.equal(unacceptedChanges(withoutRules(), today, []).length, statedRules.length);
    assert.deepEqual(unacceptedChanges(withoutRules(), today, statedRules), []);
  });

  it('is a break when it is not listed, or listed in other words', () => {
    const [first, ...others] = statedRules;
    assert.ok(first);
    assert.deepEqual(unacceptedChanges(withoutRules(), today, others), [first.change]);
    const reworded = [{ ...first, change: first.change.replace('[Hh]', 'h') }, ...others];
    assert.deepEqual(unacceptedChanges(withoutRules(), today, reworded), [first.change]);
  });

  it('is a break when the service accepts what it refuses, whatever the list says', () => {
    assert.deepEqual(unacceptedChanges(today, withUnenforcedRule(), [...statedRules, unenforced]), [unenforced.change]);
  });

  it('is a break when the list names nothing that it refuses', () => {
    const unproved = [{ ...unenforced, refused: [] }];
    assert.deepEqual(unacceptedChanges(today, withUnenforcedRule(), unproved), [unenforced.change]);
  });

  it('is a break in an answer, which no service enforces', () => {
    const after: OpenApiDocument = JSON.parse(JSON.stringify(today));
    delete after.components.schemas.CreditsBalance?.properties?.held;
    const change = 'GET /v1/credits/balance 200.held: field removed';
    assert.deepEqual(unacceptedChanges(today, after, [{ ...unenforced, change }]), [change]);
  });
});

describe('the list of stated rules', () => {
  it('says why for each, and names each once', () => {
    for (const { change, reason } of statedRules) assert.ok(reason.length > 20, change);
    assert.equal(new Set(statedRules.map(({ change }) => change)).size, statedRules.length);
  });

  it('names bodies that both the service and the document refuse', () => {
    for (const rule of statedRules) {
      const { method, path, body } = endpointOf(rule) ?? {};
      assert.ok(typeof body === 'object' && method && path, rule.change);
      const schema = today.paths[path]?.post?.requestBody?.content['application/json']?.schema;
      assert.ok(schema, rule.change);
      const problemsOf = compile(schema);
      for (const sample of rule.refused) {
        assert.equal(body.safeParse(sample).success, false, JSON.stringify(sample));
        assert.notDeepEqual(problemsOf(sample), [], JSON.stringify(sample));
      }
    }
  });
});

describe('the document and the service judge credentials alike', () => {
  const missing = [undefined];
  const kinds = [...missing, 'FORM_LOGIN', 'BEARER_TOKEN', 'BASIC_AUTH', 'COOKIE', 'API_KEY', 'MAGIC'];
  const others = {
    user: ['', 'u'],
    pass: ['', 'p'],
    mode: [...missing, 'auto', 'json'],
    location: [...missing, 'header', 'query'],
    tokenUrl: [...missing, 'https://login.example.com/token', 'https://user@login.example.com/token'],
    scope: [...missing, 'read'],
    audience: [...missing, 'api'],
  };

  /** Yields every combination of the values, leaving out undefined ones. */
  function* combinations(choices: [string, (string | undefined)[]][]): Generator<Record<string, string>> {
    const [first, ...rest] = choices;
    if (!first) return yield {};
    const [name, values] = first;
    for (const combination of combinations(rest)) {
      for (const value of values) yield value === undefined ? combination : { ...combination, [name]: value };
    }
  }

  for (const kind of kinds) {
    it(`of kind ${kind ?? 'none'}`, () => {
      let accepted = 0;
      const problemsOf = compile({ $ref: '#/components/schemas/Credential' });
      for (const combination of combinations(Object.entries(others))) {
        const credential = { name: 'one', ...(kind && { kind }), ...combination };
        const { success } = Credential.safeParse(credential);
        assert.equal(problemsOf(credential).length === 0, success, JSON.stringify(credential));
        if (success) accepted++;
      }
      if (kind !== 'MAGIC') assert.ok(accepted > 0);
    });
  }
});
