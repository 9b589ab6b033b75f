import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { breakingChanges } from './breaking-changes.ts';
import { buildOpenApi } from './openapi.ts';
import type { JsonSchema, Method, OpenApiDocument, Operation, Parameter } from './openapi-document.ts';

type Change = (document: OpenApiDocument) => void;

/**
 * A deep copy through JSON, because `structuredClone` would keep shared parts shared, and they would change together.
 */
const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value));

const today = buildOpenApi();

/** Returns the changes reported after `change` is applied to today's document, optionally prepared by `given`. */
function plant(change: Change, given: Change = () => {}): string[] {
  const before = copy(today);
  given(before);
  const after = copy(before);
  change(after);
  return breakingChanges(before, after);
}

const refuses = (sentence: string, expected: string[], change: Change, given?: Change) =>
  it(sentence, () => assert.deepEqual(plant(change, given), expected));

const allows = (sentence: string, change: Change, given?: Change) =>
  it(sentence, () => assert.deepEqual(plant(change, given), []));

function operation(document: OpenApiDocument, name: string): Operation {
  const [method = '', path = ''] = name.split(' ');
  const found = document.paths[path]?.[method.toLowerCase() as Method];
  assert.ok(found, name);
  return found;
}

function schema(document: OpenApiDocument, name: string): JsonSchema {
  const found = document.components.schemas[name];
  assert.ok(found, name);
  return found;
}

/** The expected reports of a change to a field of Scan, which two endpoints return. */
const ofScan = (change: string) => [`GET /v1/scans 200.scans[].${change}`, `GET /v1/scans/{id} 200.${change}`];

/** The status of a pentest is an open enumeration: its known values are one of two alternatives. */
function knownStatuses(document: OpenApiDocument): JsonSchema {
  const known = schema(document, 'PentestStatus').anyOf?.[0];
  assert.ok(known?.enum);
  return known;
}

function field(document: OpenApiDocument, name: string): JsonSchema {
  const [owner = '', ...path] = name.split('.');
  const found = path.reduce((node, step) => node.properties?.[step] as JsonSchema, schema(document, owner));
  assert.ok(found, name);
  return found;
}

function parameter(document: OpenApiDocument, of: string, name: string): Parameter {
  const found = operation(document, of).parameters?.find((candidate) => 'name' in candidate && candidate.name === name);
  assert.ok(found && 'name' in found, name);
  return found;
}

const addParameter = (document: OpenApiDocument, of: string, added: Parameter) => {
  const target = operation(document, of);
  target.parameters = [...(target.parameters ?? []), added];
};

const remove = (values: readonly unknown[] | undefined, value: string) =>
  values?.filter((candidate) => candidate !== value) as string[];

const errorCodes = (document: OpenApiDocument, of: string, status: string): unknown[] => {
  const { allOf } = operation(document, of).responses[status]?.content?.['application/json']?.schema ?? {};
  const codes = (allOf?.[1]?.properties?.code as JsonSchema | undefined)?.enum;
  assert.ok(codes);
  return codes;
};

describe('endpoints do not change', () => {
  refuses('an endpoint is removed', ['GET /v1/levels: endpoint removed'], (document) => {
    delete document.paths['/v1/levels'];
  });

  refuses('a method is replaced by another', ['GET /v1/levels: endpoint removed'], (document) => {
    document.paths['/v1/levels'] = { post: operation(document, 'GET /v1/levels') };
  });

  refuses(
    'an endpoint asks for another permission',
    ['GET /v1/levels: permission changed from credits:read to pentests:read'],
    (document) => {
      operation(document, 'GET /v1/levels').security = [{ apiKey: ['pentests:read'] }];
    },
  );

  refuses(
    'the success status changes',
    ['POST /v1/scans: status 200 added', 'POST /v1/scans: status 201 removed'],
    (document) => {
      const { responses } = operation(document, 'POST /v1/scans');
      responses[200] = responses[201] ?? { description: '' };
      delete responses[201];
    },
  );

  refuses('a status is added', ['GET /v1/levels: status 418 added'], (document) => {
    operation(document, 'GET /v1/levels').responses[418] = { description: 'Teapot.' };
  });

  refuses('a status is removed', ['POST /v1/pentests: status 402 removed'], (document) => {
    delete operation(document, 'POST /v1/pentests').responses[402];
  });

  refuses(
    'an error code is added to a status',
    ['POST /v1/scans 403.code: value API_KEY_CAP_EXCEEDED added'],
    (document) => {
      errorCodes(document, 'POST /v1/scans', '403').push('API_KEY_CAP_EXCEEDED');
    },
  );

  refuses(
    'an error code is taken from a status',
    ['POST /v1/pentests 429.code: value PENTEST_CONCURRENCY_EXCEEDED removed'],
    (document) => {
      errorCodes(document, 'POST /v1/pentests', '429').pop();
    },
  );

  allows('a new endpoint appears', (document) => {
    document.paths['/v1/reports'] = { get: operation(document, 'GET /v1/levels') };
  });

  allows('a new endpoint brings an error code that no other endpoint answers', (document) => {
    field(document, 'Error.code').enum?.push('TARGET_BUSY');
    const added = copy(operation(document, 'GET /v1/levels'));
    document.paths['/v1/reports'] = { get: added };
    errorCodes(document, 'GET /v1/reports', '403').push('TARGET_BUSY');
  });

  allows('words for people change', (document) => {
    document.info.description = 'Shorter.';
    document.servers = [{ url: 'https://sortie.example' }];
    operation(document, 'GET /v1/levels').summary = 'Prices';
    schema(document, 'StartScan').examples = [{ url: 'example.com' }];
    field(document, 'Pentest.targetUrl').description = 'The target.';
  });

  allows('a component gets another name', (document) => {
    document.components.schemas.Balance = schema(document, 'CreditsBalance');
    delete document.components.schemas.CreditsBalance;
    const answer = operation(document, 'GET /v1/credits/balance').responses[200];
    if (answer) answer.content = { 'application/json': { schema: { $ref: '#/components/schemas/Balance' } } };
  });
});

describe('answers keep what they promised', () => {
  refuses('a field is removed', ['GET /v1/credits/balance 200.held: field removed'], (document) => {
    delete schema(document, 'CreditsBalance').properties?.held;
  });

  refuses('a field is renamed', ['GET /v1/credits/balance 200.held: field removed'], (document) => {
    const { properties = {} } = schema(document, 'CreditsBalance');
    properties.reserved = properties.held ?? {};
    delete properties.held;
  });

  refuses(
    'a field inside a list is removed',
    ['GET /v1/credits/usage 200.usage[].balanceAfter.held: field removed'],
    (document) => {
      delete field(document, 'UsageRecord.balanceAfter').properties?.held;
    },
  );

  refuses('a field is retyped', ofScan('algorithmVersion: type changed from "integer" to "string"'), (document) => {
    field(document, 'Scan.algorithmVersion').type = 'string';
  });

  refuses('a plain field can become null', ofScan('url: can be null now'), (document) => {
    field(document, 'Scan.url').type = ['string', 'null'];
  });

  refuses(
    'a named object can become null',
    ['GET /v1/pentests 200.pentests[].credits: can be null now', 'GET /v1/pentests/{id} 200.credits: can be null now'],
    (document) => {
      const { properties = {} } = schema(document, 'Pentest');
      properties.credits = { anyOf: [{ $ref: '#/components/schemas/PentestCredits' }, { type: 'null' }] };
    },
  );

  refuses('a field can be missing', ofScan('url: can be missing now'), (document) => {
    const scan = schema(document, 'Scan');
    scan.required = remove(scan.required, 'url');
  });

  refuses(
    'the format of a field changes',
    ofScan('createdAt: format changed from "date-time" to "date"'),
    (document) => {
      field(document, 'Scan.createdAt').format = 'date';
    },
  );

  refuses('a number can be larger than promised', ofScan('score: maximum changed from 100 to 1000'), (document) => {
    const [score] = field(document, 'Scan.score').anyOf ?? [];
    if (score) score.maximum = 1000;
  });

  refuses(
    'an enumeration gains a value',
    [
      'GET /v1/pentests 200.pentests[].credits.state: value REFUNDED added',
      'GET /v1/pentests/{id} 200.credits.state: value REFUNDED added',
    ],
    (document) => {
      field(document, 'PentestCredits.state').enum?.push('REFUNDED');
    },
  );

  refuses('a nullable enumeration gains a value', ofScan('grade: value E added'), (document) => {
    field(document, 'Scan.grade').anyOf?.[0]?.enum?.push('E');
  });

  refuses(
    "a scan's status loses a value",
    [
      'POST /v1/scans 201.status: value STARTED removed',
      ...ofScan('status: value STARTED removed'),
      'GET /v1/scans/{id}/findings 200.status: value STARTED removed',
    ],
    (document) => {
      schema(document, 'ScanStatus').enum = ['COMPLETED'];
    },
  );

  refuses(
    "a pentest's status loses a value",
    [
      'POST /v1/pentests 201.status: value RECON removed',
      'GET /v1/pentests 200.pentests[].status: value RECON removed',
      'GET /v1/pentests/{id} 200.status: value RECON removed',
    ],
    (document) => {
      const status = knownStatuses(document);
      status.enum = remove(status.enum, 'RECON');
    },
  );

  refuses(
    'cancelling answers a status that does not mean the run is over',
    ['POST /v1/pentests/{id}/cancel 200.status: value CANCELLING added'],
    (document) => {
      field(document, 'CancelPentestResponse.status').enum?.push('CANCELLING');
    },
  );

  refuses(
    'an enumeration becomes free text',
    ['POST /v1/pentests/{id}/cancel 200.status: can hold any value now, not only COMPLETED, FAILED, CANCELLED'],
    (document) => {
      delete field(document, 'CancelPentestResponse.status').enum;
    },
  );

  refuses('a header is removed', ['POST /v1/pentests 201 header Idempotent-Replayed: header removed'], (document) => {
    delete operation(document, 'POST /v1/pentests').responses[201]?.headers?.['Idempotent-Replayed'];
  });

  refuses(
    'a header can be missing',
    ['GET /v1/levels 200 header X-Level: can be missing now'],
    (document) => {
      const { headers = {} } = operation(document, 'GET /v1/levels').responses[200] ?? {};
      headers['X-Level'] = { description: '', required: false, schema: { type: 'string' } };
    },
    (document) => {
      const { headers = {} } = operation(document, 'GET /v1/levels').responses[200] ?? {};
      headers['X-Level'] = { description: '', required: true, schema: { type: 'string' } };
    },
  );

  refuses('the media type changes', ['GET /v1/levels 200: application/json removed'], (document) => {
    const { content = {} } = operation(document, 'GET /v1/levels').responses[200] ?? {};
    content['text/csv'] = { schema: { type: 'string' } };
    delete content['application/json'];
  });

  allows('a field is added', (document) => {
    const { properties = {}, required } = schema(document, 'Pentest');
    properties.label = { type: 'string' };
    required?.push('label');
  });

  allows("a pentest's status gains a value", (document) => {
    knownStatuses(document).enum?.push('RETESTING');
  });

  allows('a field that could be missing is always there', (document) => {
    schema(document, 'Error').required?.push('field');
  });

  allows('a field that could be null never is', (document) => {
    field(document, 'Pentest.apiKeyId').type = 'string';
  });

  allows('the values of an enumeration are listed in another order', (document) => {
    field(document, 'PentestCredits.state').enum?.reverse();
  });

  allows('a header is added', (document) => {
    const { headers = {} } = operation(document, 'GET /v1/levels').responses[200] ?? {};
    headers['X-Level'] = { description: '', required: true, schema: { type: 'string' } };
  });
});

describe('request bodies stay accepted', () => {
  refuses('a field is removed', ['POST /v1/pentests body.credentials[].scope: field removed'], (document) => {
    delete schema(document, 'Credential').properties?.scope;
  });

  refuses(
    'a field is retyped',
    ['POST /v1/pentests body.verificationId: type changed from "string" to "integer"'],
    (document) => {
      field(document, 'StartPentest.verificationId').type = 'integer';
    },
  );

  refuses('an optional field becomes required', ['POST /v1/pentests body.depth: became required'], (document) => {
    schema(document, 'StartPentest').required?.push('depth');
  });

  refuses('a new field is required', ['POST /v1/scans body.region: new required field'], (document) => {
    const { properties = {}, required } = schema(document, 'StartScan');
    properties.region = { type: 'string' };
    required?.push('region');
  });

  refuses(
    'null stops being accepted',
    ['POST /v1/pentests body.verificationId: null is no longer accepted'],
    (document) => {
      field(document, 'StartPentest.verificationId').type = 'string';
    },
    (document) => {
      field(document, 'StartPentest.verificationId').type = ['string', 'null'];
    },
  );

  refuses('an enumeration is narrowed', ['POST /v1/pentests body.depth: value DEEP removed'], (document) => {
    const depth = field(document, 'StartPentest.depth');
    depth.enum = remove(depth.enum, 'DEEP');
  });

  refuses(
    'free text becomes an enumeration',
    ['POST /v1/pentests body.credentials[].scope: only read, write are accepted now'],
    (document) => {
      field(document, 'Credential.scope').enum = ['read', 'write'];
    },
  );

  refuses(
    'a text may be shorter only',
    ['POST /v1/scans body.url: maxLength changed from 2048 to 1024'],
    (document) => {
      field(document, 'StartScan.url').maxLength = 1024;
    },
  );

  refuses(
    'a list may be shorter only',
    ['POST /v1/pentests body.credentials: maxItems changed from 10 to 5'],
    (document) => {
      field(document, 'StartPentest.credentials').maxItems = 5;
    },
  );

  refuses(
    'a text must be longer',
    ['POST /v1/pentests body.verificationId: minLength changed from 1 to 20'],
    (document) => {
      field(document, 'StartPentest.verificationId').minLength = 20;
    },
  );

  refuses(
    'a pattern changes',
    ['POST /v1/pentests body.credentials[].name: pattern changed from "^[A-Za-z0-9_-]{1,100}$" to "^[a-z]+$"'],
    (document) => {
      field(document, 'Credential.name').pattern = '^[a-z]+$';
    },
  );

  refuses(
    'a pattern is added',
    ['POST /v1/pentests body.verificationId: pattern changed from none to "^ver_"'],
    (document) => {
      field(document, 'StartPentest.verificationId').pattern = '^ver_';
    },
  );

  refuses(
    'an open object is closed',
    ['POST /v1/scans body: other fields are refused now'],
    (document) => {
      schema(document, 'StartScan').additionalProperties = false;
    },
    (document) => {
      delete schema(document, 'StartScan').additionalProperties;
    },
  );

  refuses(
    'a rule is added that this check does not know',
    ['POST /v1/scans body.url: not changed from none to {"const":"https://example.com/"}'],
    (document) => {
      field(document, 'StartScan.url').not = { const: 'https://example.com/' };
    },
  );

  const totpOfForms: JsonSchema = { if: { required: ['totpSecret'] }, else: { required: ['mode'] } };

  refuses(
    'a condition is added',
    [`POST /v1/pentests body.credentials[]: condition added: ${JSON.stringify(totpOfForms)}`],
    (document) => {
      schema(document, 'Credential').allOf?.push({ description: 'New.', ...totpOfForms });
    },
  );

  refuses(
    'a condition demands more',
    [
      'POST /v1/pentests body.credentials[]: condition added: ' +
        '{"if":{"required":["totpSecret"]},"else":{"required":["mode","kind"]}}',
    ],
    (document) => {
      schema(document, 'Credential').allOf?.pop();
      schema(document, 'Credential').allOf?.push({ ...totpOfForms, else: { required: ['mode', 'kind'] } });
    },
    (document) => {
      schema(document, 'Credential').allOf?.push(totpOfForms);
    },
  );

  refuses(
    'a field needs another one beside it',
    [
      'POST /v1/pentests body.credentials[]: dependentRequired changed from ' +
        '{"scope":["tokenUrl"],"audience":["tokenUrl"]} to {"scope":["tokenUrl","audience"]}',
    ],
    (document) => {
      schema(document, 'Credential').dependentRequired = { scope: ['tokenUrl', 'audience'] };
    },
  );

  refuses(
    'an endpoint without a body wants one',
    ['POST /v1/pentests/{id}/cancel body: became required'],
    (document) => {
      operation(document, 'POST /v1/pentests/{id}/cancel').requestBody = { required: true, content: {} };
    },
  );

  refuses('a body is no longer taken', ['POST /v1/scans body: body removed'], (document) => {
    delete operation(document, 'POST /v1/scans').requestBody;
  });

  allows('an optional field is added', (document) => {
    const { properties = {} } = schema(document, 'StartScan');
    properties.label = { type: 'string', maxLength: 10 };
  });

  allows('a required field becomes optional', (document) => {
    const body = schema(document, 'StartPentest');
    body.required = remove(body.required, 'verificationId');
  });

  allows('an enumeration accepts more', (document) => {
    field(document, 'StartPentest.depth').enum?.push('EXTENDED');
  });

  allows('limits are loosened and patterns dropped', (document) => {
    field(document, 'StartScan.url').maxLength = 4096;
    field(document, 'StartPentest.verificationId').minLength = 0;
    delete field(document, 'Credential.name').pattern;
  });

  allows('conditions are dropped, reordered or described in other words', (document) => {
    const { allOf = [], ...rest } = schema(document, 'Credential');
    const [first, ...others] = allOf;
    document.components.schemas.Credential = {
      ...rest,
      allOf: [...others.slice(1), { ...first, description: 'Else.' }],
    };
    delete document.components.schemas.Credential.dependentRequired;
  });

  allows('null is accepted as well', (document) => {
    field(document, 'StartPentest.depth').type = ['string', 'null'];
  });

  allows('a closed object is opened', (document) => {
    delete schema(document, 'StartScan').additionalProperties;
  });
});

describe('parameters stay accepted', () => {
  const label: Parameter = { name: 'label', in: 'query', required: false, schema: { type: 'string' } };

  refuses('a query parameter is removed', ['GET /v1/credits/usage query apiKeyId: parameter removed'], (document) => {
    operation(document, 'GET /v1/credits/usage').parameters?.shift();
  });

  refuses('a query parameter becomes required', ['GET /v1/credits/usage query from: became required'], (document) => {
    parameter(document, 'GET /v1/credits/usage', 'from').required = true;
  });

  refuses('a new query parameter is required', ['GET /v1/levels query label: new required parameter'], (document) => {
    addParameter(document, 'GET /v1/levels', { ...label, required: true });
  });

  refuses(
    'a page may be smaller only',
    ['GET /v1/pentests query limit: maximum changed from 100 to 50'],
    (document) => {
      parameter(document, 'GET /v1/pentests', 'limit').schema.maximum = 50;
    },
  );

  refuses('a default changes', ['GET /v1/pentests query limit: default changed from 20 to 50'], (document) => {
    parameter(document, 'GET /v1/pentests', 'limit').schema.default = 50;
  });

  refuses(
    'a filter accepts fewer words',
    ['GET /v1/scans/{id}/findings query severity[]: value info removed'],
    (document) => {
      const items = parameter(document, 'GET /v1/scans/{id}/findings', 'severity').schema.items as JsonSchema;
      items.enum = remove(items.enum, 'info');
    },
  );

  refuses(
    'a list is repeated instead of separated by commas',
    ['GET /v1/pentests query status: serialization changed'],
    (document) => {
      parameter(document, 'GET /v1/pentests', 'status').explode = true;
    },
  );

  refuses('a date alone is refused', ['GET /v1/credits/usage query from: the alternatives changed'], (document) => {
    parameter(document, 'GET /v1/credits/usage', 'from').schema.anyOf?.pop();
  });

  refuses(
    'a header accepts fewer characters',
    [
      'POST /v1/scans header Idempotency-Key: pattern changed from "^[\\\\x21-\\\\x7e]{1,255}$" to "^[0-9a-f-]{36}$"',
      'POST /v1/pentests header Idempotency-Key: pattern changed from "^[\\\\x21-\\\\x7e]{1,255}$" to "^[0-9a-f-]{36}$"',
    ],
    (document) => {
      const key = document.components.parameters['Idempotency-Key'];
      if (key) key.schema.pattern = '^[0-9a-f-]{36}$';
    },
  );

  refuses(
    'a header becomes required',
    [
      'POST /v1/scans header Idempotency-Key: became required',
      'POST /v1/pentests header Idempotency-Key: became required',
    ],
    (document) => {
      const key = document.components.parameters['Idempotency-Key'];
      if (key) key.required = true;
    },
    (document) => {
      const key = document.components.parameters['Idempotency-Key'];
      if (key) key.required = false;
    },
  );

  refuses(
    'a new header is required',
    ['POST /v1/pentests/{id}/cancel header X-Reason: new required parameter'],
    (document) => {
      addParameter(document, 'POST /v1/pentests/{id}/cancel', {
        ...label,
        name: 'X-Reason',
        in: 'header',
        required: true,
      });
    },
  );

  allows('an optional query parameter and an optional header are added', (document) => {
    addParameter(document, 'GET /v1/levels', label);
    addParameter(document, 'GET /v1/levels', { ...label, name: 'X-Reason', in: 'header' });
  });

  allows('a filter accepts another alternative', (document) => {
    parameter(document, 'GET /v1/credits/usage', 'from').schema.anyOf?.push({ type: 'integer' });
  });

  allows('a header is written in another case', (document) => {
    const key = document.components.parameters['Idempotency-Key'];
    if (key) key.name = 'idempotency-key';
  });
});
